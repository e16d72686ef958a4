package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.NotifySpecialFollowersChunk;

/** Tells parts of the special followers of posts, where those are many. */
final class NotifySpecialFollowersChunkHandler
    implements EffectHandler<NotifySpecialFollowersChunk> {
  private final PostNotifier announcer;

  NotifySpecialFollowersChunkHandler(PostNotifier announcer) {
    this.announcer = announcer;
  }

  @Override
  public void apply(List<NotifySpecialFollowersChunk> effects) {
    effects.forEach(effect -> announcer.announce(effect.part()));
  }
}
