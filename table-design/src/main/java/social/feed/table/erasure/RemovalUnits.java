package social.feed.table.erasure;

import java.time.Instant;
import java.util.Collection;
import social.feed.table.cost.CostFormulas;
import social.feed.table.row.Comment;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;

/**
 * Estimates what the removal of rows of one account costs: the request units of the removal itself,
 * and of what it causes behind the stream. It knows counters only, so it reads nothing.
 *
 * @param userId the account
 * @param followers the most followers that have a post in their feeds
 * @param special its special followers
 * @param expired the time of the oldest posts whose entries and notifications have expired
 */
record RemovalUnits(String userId, long followers, long special, Instant expired) {
  /** A transaction of six units, the counts and rankings of both sides, and the notification. */
  private static final double EDGE = 24;

  /** An edge whose end takes some 25 posts out of the account's feed. No row counts these posts. */
  private static final double EDGE_WITH_POSTS = 100;

  /** Its row with two indexes, its notification, and the counts of both. */
  private static final double REPLY = 10;

  /** A row with an index, a read unit, and a count. */
  private static final double OTHER = 5;

  double of(Collection<Row> rows) {
    return rows.stream().mapToDouble(this::of).sum();
  }

  double of(Row row) {
    return switch (row) {
      case Post post when post.authorId().equals(userId) -> ofPost(post);
      case Follow edge -> edge.followerId().equals(userId) ? EDGE_WITH_POSTS : EDGE;
      case Like _, Comment _ -> REPLY;
      default -> OTHER;
    };
  }

  /**
   * Returns whether special followers may have been notified of a post. The records of it stay when
   * the post is hidden.
   */
  boolean isAnnounced(Row row) {
    return row instanceof Post post
        && (post.visibility() != Visibility.PRIVATE || post.visibilityVersion() != null)
        && post.createdAt().isAfter(expired);
  }

  /** Pulled posts are in no other feed. */
  private double ofPost(Post post) {
    long notified = isAnnounced(post) ? special : 0;
    long replies = Math.max(0, post.likesCount()) + Math.max(0, post.commentsCount());
    if (post.visibility() == Visibility.PRIVATE) {
      return CostFormulas.removedHiddenPost(notified, replies);
    }
    boolean isInFeeds = post.delivery() == FanOutMode.PUSH && post.createdAt().isAfter(expired);
    return CostFormulas.removedPost(isInFeeds ? followers : 0, notified, replies);
  }
}
