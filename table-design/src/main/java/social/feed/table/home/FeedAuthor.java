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
 * An author whose posts belong into a reader's feed, and which of them do.
 *
 * @param readerId whose feed
 * @param authorId who wrote them; may be the reader
 * @param since how far back
 * @param until up to when, absent without an end
 */
public record FeedAuthor(String readerId, String authorId, Instant since, @Nullable Instant until) {

  /** The reader's own posts, all of them. */
  static FeedAuthor self(String readerId) {
    return new FeedAuthor(readerId, readerId, Instant.EPOCH, null);
  }

  static FeedAuthor kept(RetainedPosts kept) {
    return new FeedAuthor(kept.readerId(), kept.authorId(), kept.since(), kept.until());
  }

  /** Read from an edge's key and notes, as a delivery does. */
  static FeedAuthor followed(Map<String, AttributeValue> edge) {
    var key = KeyAttributes.key(edge);
    var since = edge.getOrDefault(Follow.FEED_SINCE, edge.get(Follow.CREATED_AT));
    return new FeedAuthor(
        key.sort().substring(Keys.FOLLOWERS.length()),
        key.partition().substring(Keys.FOLLOWEES.length()),
        since == null ? Instant.EPOCH : Timestamps.parse(since.s()),
        null);
  }

  /** Somebody who is followed again and also kept the history: all of both. */
  FeedAuthor and(FeedAuthor other) {
    var first = since.isBefore(other.since) ? since : other.since;
    return new FeedAuthor(
        readerId, authorId, first, until == null || other.until == null ? null : later(other));
  }

  private @Nullable Instant later(FeedAuthor other) {
    return until != null && other.until != null && until.isAfter(other.until) ? until : other.until;
  }

  /** Whether a post is older than what the feed holds of the author. */
  public boolean isBefore(PostRef post) {
    return post.createdAt().isBefore(since);
  }

  /** Whether a post that is not too old is to be stored in the feed, or would be. */
  public boolean owes(PostRef post) {
    boolean own = readerId.equals(authorId);
    boolean stored =
        own || (post.visibility() != Visibility.PRIVATE && post.delivery() != FanOutMode.PULL);
    return stored && (until == null || !post.createdAt().isAfter(until));
  }
}
