package social.feed.api.engagement;

import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.List;
import social.feed.api.edge.idempotency.Created;
import social.feed.api.edge.idempotency.NewResource;
import social.feed.api.edge.idempotency.PendingCreation;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.post.PostAccess;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.api.user.AccountLookup;
import social.feed.table.engagement.Comments;
import social.feed.table.row.Comment;
import social.feed.table.row.Post;

/** Writes and deletes comments. */
@Singleton
final class CommentService {
  private final AccountLookup accounts;
  private final PostAccess access;
  private final Comments comments;
  private final AccountCache authors;

  CommentService(
      AccountLookup accounts, PostAccess access, Comments comments, AccountCache authors) {
    this.accounts = accounts;
    this.access = access;
    this.comments = comments;
    this.authors = authors;
  }

  /**
   * Prepares a new comment. Three and a half or four read units, two under the caller's own post.
   * Writing it costs two write units.
   */
  PendingCreation draft(
      Viewer viewer, String postId, CommentRequest request, NewResource resource) {
    AccountBody author = authors.body(accounts.caller(viewer));
    Post post = access.visible(viewer, postId);
    Comment comment =
        new Comment(
            postId,
            resource.id(),
            viewer.userId(),
            post.authorId(),
            request.text(),
            resource.createdAt());
    return new PendingCreation(
        created(comment, author),
        List.of(comment),
        () -> created(comments.add(comment).orElse(comment), author));
  }

  /**
   * Deletes a comment; its author and the author of the post may do so. Two read units and two
   * write units.
   */
  void delete(Viewer viewer, String postId, String commentId) {
    accounts.caller(viewer);
    boolean mayDelete =
        comments.get(postId, commentId).filter(found -> mayDelete(viewer, found)).isPresent();
    if (!mayDelete) {
      throw missing();
    }
    comments.delete(postId, commentId);
  }

  private static boolean mayDelete(Viewer viewer, Comment comment) {
    return viewer.userId().equals(comment.authorId())
        || viewer.userId().equals(comment.postAuthorId());
  }

  private static Created created(Comment comment, AccountBody author) {
    return new Created(HttpStatus.CREATED, CommentBody.of(comment, author));
  }

  private static ProblemException missing() {
    return new ProblemException(ProblemCode.NOT_FOUND, "There is no such comment");
  }
}
