package social.feed.table.row;

/**
 * A comment of an account, as the sort key in GSI2 names it.
 *
 * @param postId the post
 * @param commentId the comment
 */
public record CommentRef(String postId, String commentId) {
  /** Returns the comment at a sort key in GSI2. */
  public static CommentRef at(String sort) {
    return new CommentRef(Keys.engagedPost(sort), Keys.engagedComment(sort));
  }
}
