package social.feed.streams.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.streams.effect.NotifyHandler.Notify;
import social.feed.streams.effect.NotifyMentionedHandler.NotifyMentioned;
import social.feed.streams.effect.PostInteractionHandler.PostInteraction;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowers;
import social.feed.streams.effect.RetractHandler.Retract;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mention;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Decides who is notified of a row, and what its removal retracts. The id and time of a
 * notification come from the row alone, so a replay finds it and the removal can retract it. None
 * comes from a like that is in a bucket, nor from a silent follow.
 *
 * @param live how long a notification is kept
 */
record NotificationPlan(Duration live) {
  List<PostInteraction> ofInteraction(Like like) {
    return List.of(new PostInteraction(like.postId(), like.key(), of(like)));
  }

  List<PostInteraction> ofInteraction(Comment comment) {
    return List.of(new PostInteraction(comment.postId(), comment.key(), of(comment)));
  }

  List<Notify> ofNew(Follow edge) {
    return edge.silent() ? List.of() : List.of(new Notify(of(edge), edge.key()));
  }

  List<NotifyMentioned> ofMentionsInNew(Post post) {
    return post.visibility() == Visibility.PRIVATE ? List.of() : ofMentions(post);
  }

  List<NotifyMentioned> ofMentions(Post post) {
    var mentions = mentions(post);
    return mentions.isEmpty() ? List.of() : List.of(new NotifyMentioned(post, mentions));
  }

  List<NotifySpecialFollowers> ofNewToSpecialFollowers(Post post) {
    return post.visibility() == Visibility.PRIVATE ? List.of() : toSpecialFollowers(post);
  }

  List<NotifySpecialFollowers> toSpecialFollowers(Post post) {
    return List.of(new NotifySpecialFollowers(post, expiry(post)));
  }

  List<Retract> retractedWith(Like like) {
    return retract(of(like).stream(), Optional.of(like.key()));
  }

  List<Retract> retractedWith(Comment comment) {
    return retract(of(comment).stream(), Optional.of(comment.key()));
  }

  List<Retract> retractedWith(Follow edge) {
    return edge.silent() ? List.of() : retract(Stream.of(of(edge)), Optional.of(edge.key()));
  }

  List<Retract> retractedWith(Post post) {
    return retract(mentions(post).stream(), Optional.empty());
  }

  private static List<Retract> retract(Stream<Notification> notifications, Optional<Key> row) {
    return notifications.map(each -> new Retract(each.key(), row)).toList();
  }

  /** A like that is spread over buckets is one of many, and notifies no one. */
  private Optional<Notification> of(Like like) {
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

  private Optional<Notification> of(Comment comment) {
    return unlessOwn(
        notification(
            comment.postAuthorId(),
            NotificationType.COMMENT,
            comment.authorId(),
            comment.postId(),
            comment.createdAt(),
            comment.commentId()));
  }

  private Notification of(Follow edge) {
    return notification(
        edge.followeeId(),
        NotificationType.FOLLOW,
        edge.followerId(),
        null,
        edge.createdAt(),
        edge.followeeId());
  }

  /** An author is not notified of a mention of themselves. */
  private List<Notification> mentions(Post post) {
    return post.mentions().stream()
        .filter(mention -> !mention.userId().equals(post.authorId()))
        .map(mention -> of(post, mention))
        .toList();
  }

  private Notification of(Post post, Mention mention) {
    return notification(
        mention.userId(),
        NotificationType.MENTION,
        post.authorId(),
        post.postId(),
        post.createdAt(),
        post.postId());
  }

  /** The epoch second after which no one is notified of a post. */
  private long expiry(Post post) {
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
