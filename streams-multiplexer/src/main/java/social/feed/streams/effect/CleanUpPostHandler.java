package social.feed.streams.effect;

import java.util.List;
import social.feed.table.engagement.PostChildren;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.media.MediaFiles;
import social.feed.table.notification.PostNotifications;
import social.feed.table.row.Post;

/**
 * Removes what refers to a deleted post: feed entries, its fan-out plan, tag rows, likes, comments,
 * the notifications of its author's special followers, and its files. Two write units for each
 * file.
 */
public final class CleanUpPostHandler implements EffectHandler<CleanUpPostHandler.CleanUpPost> {
  /** Removes a post from every feed, and all rows under it. */
  public record CleanUpPost(Post post) implements Effect {}

  private final HomeFeeds feeds;
  private final FanOuts fanOuts;
  private final PostChildren children;
  private final PostNotifications notifications;
  private final MediaFiles files;

  public CleanUpPostHandler(EffectContext context) {
    this.feeds = context.feeds;
    this.fanOuts = context.fanOuts;
    this.children = context.children;
    this.notifications = context.postNotifications;
    this.files = context.files;
  }

  @Override
  public void apply(List<CleanUpPost> effects) {
    for (var effect : effects) {
      feeds.withdrawPost(effect.post().postId(), effect.post().feedShards());
      fanOuts.forget(effect.post().postId());
      children.deleteAll(effect.post().postId());
      notifications.retractAll(effect.post().postId());
      files.deleteOf(effect.post());
    }
  }
}
