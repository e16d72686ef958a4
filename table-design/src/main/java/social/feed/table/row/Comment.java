package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.kernel.declaration.Index;

/**
 * A comment: {@code POST#<id> / COMMENT#<comment id>}. The time-ordered id sorts the comments of a
 * post; GSI2 has those of an account by time.
 *
 * @param postId the post
 * @param commentId a time-ordered id
 * @param authorId the account that wrote the comment
 * @param postAuthorId the account that wrote the post; a copy, so that the stream does not read the
 *     post
 * @param text 1 to 500 characters
 * @param createdAt when the comment was written
 */
@StoredAs(RowKind.COMMENT)
public record Comment(
    String postId,
    String commentId,
    String authorId,
    String postAuthorId,
    String text,
    Instant createdAt)
    implements Row, NotificationSource {

  public static Key key(String postId, String commentId) {
    return new Key(Keys.post(postId), Keys.comment(commentId));
  }

  @Override
  public Key key() {
    return key(postId, commentId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(authorId, postAuthorId));
  }

  @Override
  public List<Key> parents() {
    return List.of(Post.key(postId), User.key(authorId));
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return Map.of(
        Index.POSTS_BY_TAG,
        new Key(Keys.commenter(authorId), Keys.commented(createdAt, postId, commentId)));
  }
}
