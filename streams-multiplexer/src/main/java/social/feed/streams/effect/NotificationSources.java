package social.feed.streams.effect;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;

/**
 * Reads the rows that notifications come from, as they are now. A row that was removed and written
 * again has another time, and a notification of its own.
 */
final class NotificationSources {
  private final Table table;

  NotificationSources(Table table) {
    this.table = table;
  }

  /** Returns the creation times of the rows that exist, strongly consistent. One read unit each. */
  Map<Key, Instant> present(Collection<Key> keys) {
    var present = new HashMap<Key, Instant>();
    for (var row : table.getAll(keys, true)) {
      createdAt(row).ifPresent(at -> present.put(row.key(), at));
    }
    return present;
  }

  private static Optional<Instant> createdAt(Row row) {
    return switch (row) {
      case Post post -> Optional.of(post.createdAt());
      case Like like -> Optional.of(like.createdAt());
      case Comment comment -> Optional.of(comment.createdAt());
      case Follow edge -> Optional.of(edge.createdAt());
      case User _, HandleClaim _, PostTag _, FollowQuota _, FeedEntry _, PulledAuthor _ ->
          Optional.empty();
      case PostNotification _, PostNotificationChunk _ -> Optional.empty();
      case SpecialFollower _, FanOutPlan _, FanOutChunk _, Block _, BlockedBy _, Mute _ ->
          Optional.empty();
      case TopAuthor _, TagTrend _, TagUses _, Erasure _, ErasureTimer _ -> Optional.empty();
      case RetainedPosts _, FeedActivity _, Notification _, ProcessedEvent _, IdempotencyRecord _ ->
          Optional.empty();
    };
  }
}
