package social.feed.table.row;

/**
 * A comment of an account, as the sort key in GSI2 names it.
 *
 * @param postId the post
 * @param commentId the comment
 */
public record CommentRef(String postId, String commentId) {}
