package social.feed.table.row;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import social.feed.table.kernel.declaration.Index;

/**
 * An item of the table. The records of this package are the list of all kinds. A row describes
 * itself: its keys, the accounts that it names, and the rows that it requires. To add a kind, write
 * its record, permit it here and add its entity type to {@link RowKind}. The compiler then names
 * each page that must decide about it.
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
        RecentDelivery,
        PulledAuthor,
        PullRevision,
        TopAuthor,
        TagTrend,
        TagUses,
        FanOutPlan,
        FanOutChunk,
        Notification,
        Inbox,
        PostNotification,
        PostNotificationChunk,
        ProcessedEvent,
        IdempotencyRecord,
        Erasure,
        ErasureTimer,
        ErasureSweep,
        PendingErasure,
        ErasurePace,
        WaitingErasure,
        Fence,
        Media,
        Webhook,
        WebhookDeliveries,
        WebhookRegistry,
        Suspect,
        FollowOpening,
        PostCleanUp,
        MediaRemoval {

  /** Returns the kind, whose name is stored as the entity type. */
  default RowKind kind() {
    return RowKind.of(getClass()).orElseThrow();
  }

  /** Returns the key of the item in the table. */
  Key key();

  /**
   * Returns the key of the item in each index that holds it. An index that is absent here does not
   * hold the item (sparse).
   */
  default Map<Index, Key> indexKeys() {
    return Map.of();
  }

  /**
   * Returns the name of the number that changes whenever an index key of the row changes. Empty
   * when no index key depends on a number.
   */
  default Optional<String> indexedNumber() {
    return Optional.empty();
  }

  /**
   * Returns the ids of the accounts that the row names in its key or its attributes, each once. An
   * erasure must find all of them. Texts are not searched: they belong to their authors, even where
   * they contain a handle.
   */
  Set<String> referencedAccounts();

  /**
   * Returns the keys of the rows that must exist as long as this row does. Verification reports a
   * row whose parent is absent. Empty when a row can exist alone or expires, and when another check
   * of verification compares the row with its source.
   */
  List<Key> parents();
}
