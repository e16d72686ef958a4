package social.feed.table.home;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.row.PostRef;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Visibility;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An author whose posts belong in a reader's feed, and the period of those posts.
 *
 * @param readerId the reader
 * @param authorId the author; can be the reader
 * @param since the start of the period
 * @param until the end of the period; absent for a period without an end
 * @param gap a part of the period whose posts do not belong in the feed; absent if all do
 */
public record FeedAuthor(
    String readerId,
    String authorId,
    Instant since,
    @Nullable Instant until,
    @Nullable FeedGap gap) {

  /** Returns the reader as an author, with all posts. */
  static FeedAuthor self(String readerId) {
    return new FeedAuthor(readerId, readerId, Instant.EPOCH, null, null);
  }

  static FeedAuthor retained(RetainedPosts retained) {
    return new FeedAuthor(
        retained.readerId(), retained.authorId(), retained.since(), retained.until(), null);
  }

  /** Returns the author of an edge, from its key, its backfill time and its creation time. */
  static FeedAuthor followed(Map<String, AttributeValue> edge) {
    var key = KeyAttributes.key(edge);
    var since = edge.getOrDefault(Follow.FEED_SINCE, edge.get(Follow.CREATED_AT));
    return new FeedAuthor(
        key.sort().substring(Keys.FOLLOWERS.length()),
        key.partition().substring(Keys.FOLLOWEES.length()),
        since == null ? Instant.EPOCH : Timestamps.parse(since.s()),
        null,
        null);
  }

  /**
   * Returns the union of two periods without a gap, for an account that the reader follows again
   * and of which earlier posts are retained.
   */
  FeedAuthor and(FeedAuthor other) {
    return since.isAfter(other.since) ? other.andLater(this) : andLater(other);
  }

  private FeedAuthor andLater(FeedAuthor later) {
    if (until == null) {
      return this;
    }
    var between = until.isBefore(later.since) ? new FeedGap(until, later.since) : null;
    var last = later.until != null && later.until.isBefore(until) ? until : later.until;
    return new FeedAuthor(readerId, authorId, since, last, between);
  }

  /** Returns whether a post is older than the period. */
  public boolean isBefore(PostRef post) {
    return post.createdAt().isBefore(since);
  }

  /** Returns whether a post that is not too old belongs in the stored feed. */
  public boolean owes(PostRef post) {
    return belongs(post) && !isPulled(post);
  }

  /** Returns whether a post belongs in the feed, but not in its stored part. */
  boolean owesPulled(PostRef post) {
    return belongs(post) && isPulled(post);
  }

  private boolean belongs(PostRef post) {
    return (isReader() || post.visibility() != Visibility.PRIVATE)
        && (until == null || !post.createdAt().isAfter(until))
        && (gap == null || !gap.contains(post.createdAt()));
  }

  private boolean isPulled(PostRef post) {
    return !isReader() && post.delivery() == FanOutMode.PULL;
  }

  private boolean isReader() {
    return readerId.equals(authorId);
  }
}
