package social.feed.streams.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Mention;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;

/**
 * Makes the notification that a row causes. Its id and time come from the row alone, so a replay
 * finds it and the removal of the row can retract it. None comes from a like of a post with a
 * thousand likes.
 *
 * @param live how long a notification is kept
 */
record NotificationPlan(Duration live) {
  /** A like that is spread over buckets is one of many, and notifies no one. */
  Optional<Notification> of(Like like) {
    if (like.bucket() != null) {
      return Optional.empty();
    }
    return unlessOwn(
        notification(
            like.postAuthorId(),
            NotificationType.LIKE,
            like.userId(),
            like.postId(),
            like.createdAt(),
            like.postId()));
  }

  Optional<Notification> of(Comment comment) {
    return unlessOwn(
        notification(
            comment.postAuthorId(),
            NotificationType.COMMENT,
            comment.authorId(),
            comment.postId(),
            comment.createdAt(),
            comment.commentId()));
  }

  Notification of(Follow edge) {
    return notification(
        edge.followeeId(),
        NotificationType.FOLLOW,
        edge.followerId(),
        null,
        edge.createdAt(),
        edge.followeeId());
  }

  Notification of(Post post, Mention mention) {
    return notification(
        mention.userId(),
        NotificationType.MENTION,
        post.authorId(),
        post.postId(),
        post.createdAt(),
        post.postId());
  }

  /** The epoch second after which no one is notified of a post. */
  long expiry(Post post) {
    return post.createdAt().plus(live).getEpochSecond();
  }

  private static Optional<Notification> unlessOwn(Notification notification) {
    return notification.userId().equals(notification.actorId())
        ? Optional.empty()
        : Optional.of(notification);
  }

  private Notification notification(
      String userId,
      NotificationType type,
      String actorId,
      @Nullable String postId,
      Instant at,
      String subject) {
    return new Notification(
        userId,
        TimeOrderedId.named(at, type.name(), userId, actorId, subject),
        type,
        actorId,
        postId,
        at,
        false,
        at.plus(live).getEpochSecond());
  }
}
