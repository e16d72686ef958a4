package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.AnnouncePart;

/** Tells parts of the special followers of posts, where those are many. */
final class AnnouncePartHandler implements EffectHandler<AnnouncePart> {
  private final Announcer announcer;

  AnnouncePartHandler(Announcer announcer) {
    this.announcer = announcer;
  }

  @Override
  public void apply(List<AnnouncePart> effects) {
    effects.forEach(effect -> announcer.announce(effect.part()));
  }
}
