package social.feed.table.row;

import java.util.Map;
import social.feed.table.kernel.declaration.Index;

/**
 * An item of the table. The files of this package are the list of what the table holds; a new kind
 * is added here, and the compiler then names each place that must decide about it.
 */
public sealed interface Row
    permits User,
        HandleClaim,
        Post,
        PostTag,
        Comment,
        Like,
        Follow,
        SpecialFollower,
        FollowQuota,
        RetainedPosts,
        FeedActivity,
        Block,
        BlockedBy,
        Mute,
        FeedEntry,
        PulledAuthor,
        TopAuthor,
        TagTrend,
        FanOutPlan,
        FanOutChunk,
        Notification,
        PostNotification,
        PostNotificationChunk,
        ProcessedEvent,
        IdempotencyRecord,
        Erasure,
        ErasureTimer {

  /** Where the item is. */
  Key key();

  /** Where the indexes show it; an index that is absent here does not hold it (sparse). */
  default Map<Index, Key> indexKeys() {
    return Map.of();
  }
}
