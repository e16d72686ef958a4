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
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Like;
import social.feed.table.row.Mention;
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
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;

/**
 * What an export says of a row: what the user did and was told, and nothing that others keep to
 * themselves. A new kind of row does not compile here until somebody decides.
 *
 * @param userId whose export it is
 * @param boundary what stands between the user and others
 * @param now when it is made
 */
record ExportLines(String userId, ViewerRelations boundary, Instant now) {

  /** The line of a row, in the order of its members; empty for what is not the user's to have. */
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
      case Notification told when told.userId().equals(userId) && isKept(told) ->
          Optional.of(notification(told));
      // Of others.
      case User _, Post _, Comment _, Like _, Follow _, RetainedPosts _ -> Optional.empty();
      case FeedActivity _, Block _, Mute _, Notification _ -> Optional.empty();
      // Who blocks somebody, or follows specially, keeps that to themselves.
      case BlockedBy _, SpecialFollower _, PostNotification _ -> Optional.empty();
      // That it is there may tell of a block by somebody else.
      case FollowQuota _ -> Optional.empty();
      // Derived from what is in an export, or from others' posts.
      case HandleClaim _, PostTag _, FeedEntry _, PulledAuthor _, TopAuthor _, TagTrend _ ->
          Optional.empty();
      // Bookkeeping; the keys of requests are secrets.
      case FanOutPlan _,
          FanOutChunk _,
          PostNotificationChunk _,
          ProcessedEvent _,
          IdempotencyRecord _ ->
          Optional.empty();
      case Erasure _, ErasureTimer _ -> Optional.empty();
    };
  }

  /**
   * What expired may still be stored, and counts as gone; what somebody did is hidden with them, as
   * in the list.
   */
  private boolean isKept(Notification told) {
    return told.expiresAt() > now.getEpochSecond() && !boundary.separates(told.actorId());
  }

  private static Map<String, Object> profile(User user) {
    var line = line("profile");
    line.put("id", user.userId());
    line.put("handle", user.handle());
    line.put("display_name", user.displayName());
    put(line, "bio", user.bio());
    line.put("created_at", user.createdAt());
    line.put("followers_count", user.followersCount());
    line.put("following_count", user.followingCount());
    line.put("posts_count", user.postsCount());
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

  private static Map<String, Object> notification(Notification told) {
    var line = line("notification");
    line.put("id", told.notificationId());
    line.put("type", lower(told.type()));
    line.put("actor_id", told.actorId());
    put(line, "post_id", told.postId());
    line.put("created_at", told.createdAt());
    line.put("read", told.read());
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
