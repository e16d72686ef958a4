package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.CleanUpPost;
import social.feed.table.engagement.PostChildren;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.notification.PostNotifications;

/**
 * Removes what a deleted post left behind: feed entries, its plan, tag rows, likes, comments, and
 * what its author's special followers were told.
 */
final class CleanUpPostHandler implements EffectHandler<CleanUpPost> {
  private final HomeFeeds feeds;
  private final FanOuts fanOuts;
  private final PostChildren children;
  private final PostNotifications announcements;

  CleanUpPostHandler(
      HomeFeeds feeds, FanOuts fanOuts, PostChildren children, PostNotifications announcements) {
    this.feeds = feeds;
    this.fanOuts = fanOuts;
    this.children = children;
    this.announcements = announcements;
  }

  @Override
  public void apply(List<CleanUpPost> effects) {
    for (var effect : effects) {
      feeds.withdrawPost(effect.post().postId(), effect.post().feedShards());
      fanOuts.forget(effect.post().postId());
      children.deleteAll(effect.post().postId());
      announcements.retractAll(effect.post().postId());
    }
  }
}
