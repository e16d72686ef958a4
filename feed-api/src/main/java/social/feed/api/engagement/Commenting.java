package social.feed.api.engagement;

import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import social.feed.api.idempotency.Created;
import social.feed.api.idempotency.Once;
import social.feed.api.idempotency.Reservation;
import social.feed.api.post.PostAccess;
import social.feed.api.problem.ProblemCode;
import social.feed.api.problem.ProblemException;
import social.feed.api.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.Members;
import social.feed.table.engagement.Comments;
import social.feed.table.row.Comment;
import social.feed.table.row.Post;
import social.feed.table.user.Users;

/** Writes and deletes comments. */
@Singleton
final class Commenting {
  private final Members members;
  private final PostAccess access;
  private final Comments comments;
  private final Users users;
  private final Once once;

  Commenting(Members members, PostAccess access, Comments comments, Users users, Once once) {
    this.members = members;
    this.access = access;
    this.comments = comments;
    this.users = users;
    this.once = once;
  }

  /** Two or three read units and one write unit. */
  Created add(Viewer viewer, String postId, CommentRequest request, Reservation reservation) {
    AccountBody author = AccountBody.of(members.caller(viewer));
    Post post = access.visible(viewer, postId);
    Comment comment =
        new Comment(
            postId,
            reservation.id(),
            viewer.userId(),
            post.authorId(),
            request.text(),
            reservation.createdAt(),
            reservation.requestKey());
    return created(comments.add(comment).orElse(comment), author);
  }

  /** By its author, or by the author of the post. Two read units and one or two write units. */
  void delete(Viewer viewer, String postId, String commentId) {
    members.caller(viewer);
    Comment comment =
        comments
            .get(postId, commentId)
            .filter(found -> mayDelete(viewer, found))
            .orElseThrow(Commenting::missing);
    if (comment.requestKey() != null) {
      users
          .get(comment.authorId())
          .map(AccountBody::of)
          .ifPresent(
              author ->
                  once.close(comment.authorId(), comment.requestKey(), created(comment, author)));
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
