package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.celebrity.CelebrityFlagChanged;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.time.Timestamps;

/**
 * Notes in the registry that an author's posts are pulled from now on, or no longer are, and
 * publishes that once. Three write units, whatever the number of followers.
 */
public final class FlipHandler implements EffectHandler<FlipHandler.Flip> {
  /** An author became a celebrity or stopped being one. */
  public record Flip(String userId, boolean isCelebrity, long followers, long version)
      implements Effect {}

  private final PullRegistry registry;
  private final CelebrityEvents events;
  private final Clock clock;

  public FlipHandler(EffectContext context) {
    this.registry = context.registry;
    this.events = context.events;
    this.clock = context.clock;
  }

  @Override
  public void apply(List<Flip> effects) {
    effects.forEach(this::apply);
  }

  private void apply(Flip flip) {
    var now = Timestamps.now(clock);
    var author = registry.flip(flip.userId(), flip.isCelebrity(), flip.version(), now);
    if (author.publishedVersion() < flip.version()) {
      events.publish(
          new CelebrityFlagChanged(
              flip.userId(), flip.isCelebrity(), flip.followers(), flip.version(), now));
      registry.change(flip.userId(), now, row -> row.published(flip.version()));
    }
  }
}
