package social.feed.api.export;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.table.graph.ViewerRelations;
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
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.Mention;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Picture;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostMedia;
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
 * Selects and formats the rows of an export: the user's own data and notifications, and nothing
 * that is private to others. A new kind of row does not compile until it has a case here.
 *
 * @param userId the user whose data is exported
 * @param relations the user's blocks and mutes
 * @param inbox decides which notifications count as read
 * @param now time of the export
 */
record ExportLines(String userId, ViewerRelations relations, Inbox inbox, Instant now) {

  /** Returns the line of a row, its fields in order; empty for a row that is not exported. */
  Optional<Map<String, Object>> of(Row row) {
    return switch (row) {
      case User user when user.userId().equals(userId) -> Optional.of(profile(user));
      case Post post when post.authorId().equals(userId) -> Optional.of(post(post));
      case Comment comment when comment.authorId().equals(userId) -> Optional.of(comment(comment));
      case Like like when like.userId().equals(userId) -> Optional.of(like(like));
      case Follow edge when edge.followerId().equals(userId) -> Optional.of(following(edge));
      case Follow edge when edge.followeeId().equals(userId) -> Optional.of(follower(edge));
      case RetainedPosts kept when kept.readerId().equals(userId) -> Optional.of(kept(kept));
      case FeedActivity activity when activity.userId().equals(userId) ->
          Optional.of(activity(activity));
      case Block block when block.userId().equals(userId) -> Optional.of(block(block));
      case Mute mute when mute.userId().equals(userId) -> Optional.of(mute(mute));
      case Media media when media.ownerId().equals(userId) -> Optional.of(media(media));
      case Notification notification
          when notification.userId().equals(userId) && isVisible(notification) ->
          Optional.of(notification(notification));
      // Rows of other accounts.
      case User _, Post _, Comment _, Like _, Follow _, RetainedPosts _ -> Optional.empty();
      case FeedActivity _, Block _, Mute _, Notification _, Media _ -> Optional.empty();
      // A block and a special follow are private to the account that made them.
      case BlockedBy _, SpecialFollower _, PostNotification _ -> Optional.empty();
      case FollowQuota quota when quota.userId().equals(userId) && quota.slowedUntil() != null ->
          Optional.of(slowDown(quota.slowedUntil()));
      // Its existence may reveal a block by another account, and the reasons of a suspicion count
      // such blocks.
      case FollowQuota _, Suspect _ -> Optional.empty();
      // Derived from exported rows, or from posts of others.
      case HandleClaim _, PostTag _, FeedEntry _, PulledAuthor _ -> Optional.empty();
      case TopAuthor _, TagTrend _, TagUses _, Inbox _ -> Optional.empty();
      // Internal bookkeeping; idempotency keys are secrets.
      case FollowOpening _,
          PullRevision _,
          RecentDelivery _,
          FanOutPlan _,
          FanOutChunk _,
          PostCleanUp _,
          PostNotificationChunk _,
          ProcessedEvent _,
          IdempotencyRecord _ ->
          Optional.empty();
      case Erasure _, ErasureTimer _, ErasureSweep _, PendingErasure _, Fence _ -> Optional.empty();
      case ErasurePace _, WaitingErasure _ -> Optional.empty();
      // Its file is deleted.
      case MediaRemoval _ -> Optional.empty();
      // They belong to the deployment.
      case Webhook _, WebhookDeliveries _, WebhookRegistry _ -> Optional.empty();
    };
  }

  /**
   * An expired notification may still be stored, and counts as removed. A block hides the
   * notifications of its actor, as in the list.
   */
  private boolean isVisible(Notification notification) {
    return notification.expiresAt() > now.getEpochSecond()
        && !relations.separates(notification.actorId());
  }

  private static Map<String, Object> profile(User user) {
    var line = line("profile");
    line.put("id", user.userId());
    line.put("handle", user.handle());
    line.put("display_name", user.displayName());
    put(line, "bio", user.bio());
    for (var picture : Picture.values()) {
      put(line, picture.attribute(), user.shown(picture).map(PostMedia::mediaId).orElse(null));
    }
    line.put("created_at", user.createdAt());
    line.put("followers_count", user.followersCount());
    line.put("following_count", user.followingCount());
    line.put("posts_count", Math.max(0, user.postsCount()));
    line.put("is_celebrity", user.isCelebrity());
    return line;
  }

  private static Map<String, Object> post(Post post) {
    var line = line("post");
    line.put("id", post.postId());
    line.put("text", post.text());
    line.put("tags", post.tags());
    line.put("mentions", post.mentions().stream().map(ExportLines::mention).toList());
    line.put("visibility", lower(post.visibility()));
    put(line, "media_ref", post.mediaRef());
    put(
        line,
        "media",
        post.media() == null ? null : post.files().stream().map(PostMedia::mediaId).toList());
    line.put("created_at", post.createdAt());
    line.put("likes_count", post.likesCount());
    line.put("comments_count", post.commentsCount());
    return line;
  }

  private static Map<String, Object> mention(Mention mention) {
    return Map.of("handle", mention.handle(), "id", mention.userId());
  }

  private static Map<String, Object> comment(Comment comment) {
    var line = line("comment");
    line.put("id", comment.commentId());
    line.put("post_id", comment.postId());
    line.put("text", comment.text());
    line.put("created_at", comment.createdAt());
    return line;
  }

  private static Map<String, Object> like(Like like) {
    var line = line("like");
    line.put("post_id", like.postId());
    line.put("created_at", like.createdAt());
    return line;
  }

  private static Map<String, Object> following(Follow edge) {
    var line = line("following");
    line.put("user_id", edge.followeeId());
    line.put("created_at", edge.createdAt());
    put(line, "special_since", edge.specialSince());
    return line;
  }

  private static Map<String, Object> follower(Follow edge) {
    var line = line("follower");
    line.put("user_id", edge.followerId());
    line.put("created_at", edge.createdAt());
    return line;
  }

  private static Map<String, Object> kept(RetainedPosts kept) {
    var line = line("kept_history");
    line.put("user_id", kept.authorId());
    line.put("since", kept.since());
    line.put("until", kept.until());
    return line;
  }

  private static Map<String, Object> activity(FeedActivity activity) {
    var line = line("activity");
    line.put("last_read_at", activity.lastReadAt());
    return line;
  }

  private static Map<String, Object> block(Block block) {
    var line = line("block");
    line.put("user_id", block.blockedId());
    line.put("created_at", block.createdAt());
    return line;
  }

  private static Map<String, Object> mute(Mute mute) {
    var line = line("mute");
    line.put("user_id", mute.mutedId());
    line.put("created_at", mute.createdAt());
    put(line, "until", mute.until());
    return line;
  }

  private static Map<String, Object> slowDown(Instant until) {
    var line = line("slow_down");
    line.put("until", until);
    return line;
  }

  private static Map<String, Object> media(Media media) {
    var line = line("media");
    line.put("id", media.mediaId());
    line.put("content_type", media.contentType());
    line.put("bytes", media.bytes());
    line.put("sha256", media.sha256());
    put(line, "alt", media.alt());
    put(line, "width", media.width());
    put(line, "height", media.height());
    put(line, "post_id", media.postId());
    put(line, "shown_as", media.shownAs() == null ? null : lower(media.shownAs()));
    line.put("created_at", media.createdAt());
    return line;
  }

  private Map<String, Object> notification(Notification notification) {
    var line = line("notification");
    line.put("id", notification.notificationId());
    line.put("type", lower(notification.type()));
    line.put("actor_id", notification.actorId());
    put(line, "post_id", notification.postId());
    line.put("created_at", notification.createdAt());
    line.put("read", notification.read() || inbox.isReadAt(notification.createdAt()));
    return line;
  }

  static Map<String, Object> line(String kind) {
    var line = new LinkedHashMap<String, Object>();
    line.put("kind", kind);
    return line;
  }

  private static void put(Map<String, Object> line, String name, @Nullable Object value) {
    if (value != null) {
      line.put(name, value);
    }
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
