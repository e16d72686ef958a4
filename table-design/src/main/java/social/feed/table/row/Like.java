package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;

/**
 * A like: {@code POST#<id> / LIKE#<user>}, a key that makes it unique; by time in GSI1 with the
 * likes of the post, and in GSI2 with those of the account. The likes of a post with many likes are
 * spread over several partitions of GSI1.
 *
 * @param postId the post
 * @param userId the account that likes it
 * @param postAuthorId the account that wrote the post; a copy, so that the stream does not read the
 *     post
 * @param createdAt when the like was written
 * @param bucket which of the post's partitions of GSI1 holds it, absent for the one that a post has
 *     from its beginning
 */
@StoredAs(RowKind.LIKE)
public record Like(
    String postId, String userId, String postAuthorId, Instant createdAt, @Nullable Integer bucket)
    implements Row, NotificationSource {
  private static final String BUCKET = "bucket";

  /** Creates a like that is not spread. */
  public Like(String postId, String userId, String postAuthorId, Instant createdAt) {
    this(postId, userId, postAuthorId, createdAt, null);
  }

  /** Returns a like of a post as it is now. */
  public static Like of(Post post, String userId, Instant createdAt) {
    var buckets = post.likeBuckets();
    return new Like(
        post.postId(),
        userId,
        post.authorId(),
        createdAt,
        buckets == null ? null : FeedEntry.shard(post.postId(), userId, buckets));
  }

  public static Key key(String postId, String userId) {
    return new Key(Keys.post(postId), Keys.like(userId));
  }

  @Override
  public Key key() {
    return key(postId, userId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(userId, postAuthorId));
  }

  @Override
  public List<Key> parents() {
    return List.of(Post.key(postId), User.key(userId));
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return Map.of(
        Index.POSTS_BY_AUTHOR,
        new Key(
            bucket == null ? Keys.likesOf(postId) : Keys.likesOf(postId, bucket),
            Keys.timed(createdAt, Keys.like(userId))),
        Index.POSTS_BY_TAG,
        new Key(Keys.liker(userId), Keys.timed(createdAt, Keys.post(postId))));
  }

  @Override
  public Optional<String> indexedNumber() {
    return Optional.ofNullable(bucket).map(_ -> BUCKET);
  }
}
