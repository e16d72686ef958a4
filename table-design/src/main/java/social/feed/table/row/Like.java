package social.feed.table.row;

import java.time.Instant;
import java.util.Map;
import social.feed.table.kernel.declaration.Index;

/**
 * A like: {@code POST#<id> / LIKE#<user>}, which makes it unique; in GSI1 by time.
 *
 * @param postId the post
 * @param userId who likes it
 * @param postAuthorId who wrote the post; here so that the stream need not read the post
 * @param createdAt when it was liked
 */
public record Like(String postId, String userId, String postAuthorId, Instant createdAt)
    implements Row {

  public static Key key(String postId, String userId) {
    return new Key(Keys.post(postId), Keys.like(userId));
  }

  @Override
  public Key key() {
    return key(postId, userId);
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return Map.of(
        Index.POSTS_BY_AUTHOR,
        new Key(Keys.likesOf(postId), Keys.timed(createdAt, Keys.like(userId))));
  }
}
