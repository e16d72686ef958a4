package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.kernel.declaration.Index;

/**
 * A like: {@code POST#<id> / LIKE#<user>}, a key that makes it unique; by time in GSI1 with the
 * likes of the post, and in GSI2 with those of the account.
 *
 * @param postId the post
 * @param userId the account that likes it
 * @param postAuthorId the account that wrote the post; a copy, so that the stream does not read the
 *     post
 * @param createdAt when the like was written
 */
@StoredAs(RowKind.LIKE)
public record Like(String postId, String userId, String postAuthorId, Instant createdAt)
    implements Row, NotificationSource {

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
        new Key(Keys.likesOf(postId), Keys.timed(createdAt, Keys.like(userId))),
        Index.POSTS_BY_TAG,
        new Key(Keys.liker(userId), Keys.timed(createdAt, Keys.post(postId))));
  }
}
