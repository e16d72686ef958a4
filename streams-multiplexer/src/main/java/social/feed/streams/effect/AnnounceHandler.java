package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.Announce;

/** Tells special followers of posts. Costs what {@link Announcer} says. */
final class AnnounceHandler implements EffectHandler<Announce> {
  private final Announcer announcer;

  AnnounceHandler(Announcer announcer) {
    this.announcer = announcer;
  }

  @Override
  public void apply(List<Announce> effects) {
    effects.forEach(effect -> announcer.announce(effect.post().postId(), effect.expiresAt()));
  }
}
