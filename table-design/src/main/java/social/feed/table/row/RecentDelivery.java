package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import social.feed.table.kernel.declaration.Retention;

/**
 * The note that the delivery of a post to followers begins: {@code USER#<author> /
 * RECENT#<minute>#POST#<id>}. It is written before the follow edges are read. The handler of an
 * edge that changes later finds the post here, also where GSI1 does not show it yet. Attempts of
 * one minute write one row.
 *
 * @param authorId the account that wrote the post
 * @param postId the post
 * @param createdAt the post's own time
 * @param visibility the readers who could see the post then
 * @param feedShards number of partitions of its feed entries
 * @param deliveredAt when the delivery began
 * @param expiresAt epoch second after which no one needs the row
 */
@StoredAs(RowKind.RECENT_DELIVERY)
public record RecentDelivery(
    String authorId,
    String postId,
    Instant createdAt,
    Visibility visibility,
    int feedShards,
    Instant deliveredAt,
    long expiresAt)
    implements Row {
  /** Returns the note of a delivery that begins now. */
  public static RecentDelivery of(PostRef post, Instant now) {
    return new RecentDelivery(
        post.authorId(),
        post.postId(),
        post.createdAt(),
        post.visibility(),
        post.feedShards(),
        now,
        now.plus(Retention.RECENT_DELIVERIES).getEpochSecond());
  }

  /** Returns the post as it was when its delivery began. */
  public PostRef post() {
    return new PostRef(postId, authorId, createdAt, visibility, feedShards, FanOutMode.PUSH);
  }

  @Override
  public Key key() {
    return new Key(Keys.user(authorId), Keys.delivered(deliveredAt, postId));
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(authorId);
  }

  @Override
  public List<Key> parents() {
    // The row expires, and may outlive its post until then.
    return List.of();
  }
}
