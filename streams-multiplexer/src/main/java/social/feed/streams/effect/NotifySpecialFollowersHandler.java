package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.NotifySpecialFollowers;

/** Tells special followers of posts. Costs what {@link PostNotifier} says. */
final class NotifySpecialFollowersHandler implements EffectHandler<NotifySpecialFollowers> {
  private final PostNotifier announcer;

  NotifySpecialFollowersHandler(PostNotifier announcer) {
    this.announcer = announcer;
  }

  @Override
  public void apply(List<NotifySpecialFollowers> effects) {
    effects.forEach(effect -> announcer.announce(effect.post().postId(), effect.expiresAt()));
  }
}
