package social.feed.table.row;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import social.feed.table.kernel.declaration.Index;

/**
 * A post in a reader's home feed: {@code FANOUT#<post>#<shard> / FEED#<reader>}, in GSI3 by time.
 * It holds ids only; names and text are read with the page.
 *
 * @param postId the post
 * @param shard the {@link #shard} of post and reader
 * @param readerId the account whose feed this is
 * @param authorId the account that wrote the post
 * @param createdAt the post's own time
 * @param expiresAt epoch second at which TTL may delete the entry, a day after the last reader
 *     relies on it
 */
@StoredAs(RowKind.FEED_ENTRY)
public record FeedEntry(
    String postId, int shard, String readerId, String authorId, Instant createdAt, long expiresAt)
    implements Row {
  public static final String AUTHOR_ID = "author_id";

  /**
   * How long feeds hold a post, counted from the post's own time. TTL bounds the feeds, because it
   * deletes without cost; trimming each feed to a number of entries would cost as much as
   * delivering them. This is not a setting: readers and writers of all versions must agree, because
   * older posts are read from their authors.
   */
  public static final Duration KEPT = Duration.ofDays(90);

  /**
   * TTL counts whole seconds, and clocks differ. An entry must stay until every reader reads its
   * post from the author.
   */
  private static final Duration SLACK = Duration.ofDays(1);

  /** Creates an entry with the full lifetime. */
  public FeedEntry(String postId, int shard, String readerId, String authorId, Instant createdAt) {
    this(postId, shard, readerId, authorId, createdAt, expiry(createdAt));
  }

  /** Returns the epoch second from which on no reader relies on entries of a time. */
  static long expiry(Instant createdAt) {
    return createdAt.plus(KEPT).plus(SLACK).getEpochSecond();
  }

  /** Returns the time before which no reader relies on feed entries. */
  public static Instant horizon(Instant now) {
    return now.minus(KEPT);
  }

  /** Returns the time whose entries TTL may delete now, and all earlier ones. */
  public static Instant expired(Instant now) {
    return horizon(now).minus(SLACK);
  }

  /** Returns the entry of a post in a reader's feed. */
  public static FeedEntry of(PostRef post, String readerId) {
    return new FeedEntry(
        post.postId(),
        shard(post.postId(), readerId, post.feedShards()),
        readerId,
        post.authorId(),
        post.createdAt());
  }

  /**
   * Returns the entry at a position of a reader's feed.
   *
   * @param position a sort key that {@link Keys#feedSort} made; the shard is read from it
   */
  public static FeedEntry at(String position, String readerId, FeedRef ref) {
    int shard = Integer.parseInt(position.split("#", 3)[1]);
    return new FeedEntry(ref.postId(), shard, readerId, ref.authorId(), ref.createdAt());
  }

  /**
   * Returns the number of the post's partition that holds a reader's entry. It is the CRC-32 of the
   * UTF-8 bytes of post id and reader id, modulo the number of shards, the same in every version
   * and language.
   */
  public static int shard(String postId, String readerId, int shards) {
    var crc = new CRC32();
    crc.update((postId + readerId).getBytes(StandardCharsets.UTF_8));
    return (int) (crc.getValue() % shards);
  }

  public static Key key(String postId, int shards, String readerId) {
    return new Key(Keys.fanout(postId, shard(postId, readerId, shards)), Keys.feed(readerId));
  }

  @Override
  public Key key() {
    return new Key(Keys.fanout(postId, shard), Keys.feed(readerId));
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(readerId, authorId));
  }

  @Override
  public List<Key> parents() {
    // Verification compares the entry with its post and with the follow edge.
    return List.of();
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return Map.of(
        Index.FEED_BY_USER, new Key(Keys.feed(readerId), Keys.feedSort(createdAt, shard, postId)));
  }
}
