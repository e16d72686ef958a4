package social.feed.verify;

import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PullRevision;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RecentDelivery;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.Suspect;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.WaitingErasure;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookRegistry;

/**
 * Decides what becomes of a row whose parent does not exist. A row that a deleted post left behind
 * is removed. A follow edge is removed together with its quota, as an unfollow does it. Content
 * that a user wrote stays, and a person must decide about it.
 */
record OrphanRepair(TableScanner scanner) {
  Repair of(Row row, Key missing) {
    return switch (row) {
      case Like like when missing.equals(Post.key(like.postId())) -> remove(like);
      case Comment comment when missing.equals(Post.key(comment.postId())) -> remove(comment);
      case PostTag tag -> remove(tag);
      case Follow edge ->
          repairs -> repairs.follows().unfollow(edge.followerId(), edge.followeeId());
      case FeedActivity activity -> remove(activity);
      case Inbox inbox -> remove(inbox);
      case Suspect suspect -> remove(suspect);
      // Only its owner could read it.
      case Media media -> remove(media);
      // Nothing is added to it any more.
      case WebhookDeliveries deliveries -> remove(deliveries);
      case FollowQuota quota -> repairs -> hasNoEdge(quota) && repairs.rows().remove(quota);
      // Content of users, and their settings for each other.
      case Post _,
          Comment _,
          Like _,
          RetainedPosts _,
          Block _,
          BlockedBy _,
          Mute _,
          Notification _ ->
          Repair.NONE;
      // It is not called, and its secret cannot be made again.
      case Webhook _ -> Repair.NONE;
      // Kinds that require no parent.
      case User _, HandleClaim _, SpecialFollower _, FeedEntry _, PulledAuthor _ -> Repair.NONE;
      case RecentDelivery _, FollowOpening _, PostCleanUp _, MediaRemoval _ -> Repair.NONE;
      case PullRevision _, TopAuthor _, TagTrend _, TagUses _, FanOutPlan _, FanOutChunk _ ->
          Repair.NONE;
      case PostNotification _, PostNotificationChunk _, ProcessedEvent _ -> Repair.NONE;
      case IdempotencyRecord _, Fence _ -> Repair.NONE;
      case Erasure _, ErasureTimer _, ErasureSweep _, PendingErasure _ -> Repair.NONE;
      case ErasurePace _, WaitingErasure _ -> Repair.NONE;
      case WebhookRegistry _ -> Repair.NONE;
    };
  }

  private Repair remove(Row row) {
    return repairs -> repairs.rows().remove(row);
  }

  /** The edges must be removed first, because removing an edge writes the quota. */
  private boolean hasNoEdge(FollowQuota quota) {
    return scanner.count(Index.FOLLOWING, Keys.follower(quota.userId())) == 0;
  }
}
