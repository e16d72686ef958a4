package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Follow;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Mention;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * Checks that each user has all required notifications, and no notification that is neither
 * required nor allowed.
 */
final class NotificationAudit {
  private final ReferenceModel model;
  private final CommitOrder order;
  private final Map<Key, Row> rows;
  private final Instant now;
  private final Set<Key> required = new HashSet<>();
  private final Set<Key> allowed = new HashSet<>();

  NotificationAudit(ReferenceModel model, CommitOrder order, Map<Key, Row> rows, Instant now) {
    this.model = model;
    this.order = order;
    this.rows = rows;
    this.now = now;
  }

  List<String> violations() {
    for (var like : model.likes.values()) {
      if (like.bucket() == null) {
        expect(
            like.postAuthorId(),
            NotificationType.LIKE,
            like.userId(),
            like.createdAt(),
            like.postId());
      }
    }
    for (var comment : model.comments.values()) {
      expect(
          comment.postAuthorId(),
          NotificationType.COMMENT,
          comment.authorId(),
          comment.createdAt(),
          comment.commentId());
    }
    for (var edge : model.edges.values()) {
      if (!edge.silent()) {
        expect(
            edge.followeeId(),
            NotificationType.FOLLOW,
            edge.followerId(),
            edge.createdAt(),
            edge.followeeId());
      }
    }
    model.posts.values().forEach(this::mentions);
    model.posts.values().forEach(this::specialFollowers);
    var violations = differences();
    violations.addAll(inboxes());
    return violations;
  }

  private List<String> differences() {
    var violations = new ArrayList<String>();
    for (var key : required) {
      if (!rows.containsKey(key)) {
        violations.add("notifications lack " + key);
      }
    }
    for (var row : rows.values()) {
      if (row instanceof Notification n
          && !required.contains(n.key())
          && !allowed.contains(n.key())
          && !isLeftToTtl(n)) {
        violations.add("notifications have " + n.type() + " " + n.key());
      }
      if (row instanceof Notification n
          && n.type() == NotificationType.POST
          && !isLate(n.createdAt())
          && !isListed(n)) {
        violations.add("no post notification leads to " + n.key());
      }
    }
    return violations;
  }

  /** Compares the number of unread notifications with their rows. */
  private List<String> inboxes() {
    var counted = new HashMap<Key, Long>();
    for (var row : rows.values()) {
      if (row instanceof Notification n && n.isCountedUnread()) {
        counted.merge(Inbox.key(n.userId()), 1L, Long::sum);
      }
    }
    var violations = new ArrayList<String>();
    for (var row : rows.values()) {
      if (row instanceof Inbox inbox) {
        long expected = Objects.requireNonNullElse(counted.remove(inbox.key()), 0L);
        if (inbox.unread() != expected) {
          violations.add(inbox.key() + ": unread is " + inbox.unread() + ", not " + expected);
        }
        if (!inbox.complete() || inbox.readUpTo() != null) {
          violations.add("work is left at " + inbox);
        }
      }
    }
    counted.keySet().forEach(key -> violations.add("inboxes lack " + key));
    return violations;
  }

  /**
   * Whether no reader is shown it, and nothing leads to it any more. TTL deletes the two rows of a
   * post's notification at different times.
   */
  private boolean isLeftToTtl(Notification notification) {
    return notification.type() == NotificationType.POST
        && notification.expiresAt() <= now.getEpochSecond()
        && !isListed(notification);
  }

  private boolean isListed(Notification notification) {
    return rows.containsKey(
        PostNotification.key(requireNonNull(notification.postId()), notification.userId()));
  }

  /**
   * Requires notifications for readers who were special followers before the post, and allows them
   * for readers who became special followers at about that time.
   */
  private void specialFollowers(Post post) {
    if (post.visibility() == Visibility.PRIVATE) {
      return;
    }
    for (var row : rows.values()) {
      if (row instanceof User user && model.mayHaveBeenNotified(user.userId(), post)) {
        var author = post.authorId();
        var edge = Follow.key(user.userId(), author);
        boolean wasSpecial = model.specialBefore(edge, post.createdAt());
        var at = post.createdAt();
        var key = key(user.userId(), NotificationType.POST, author, at, post.postId());
        if (wasSpecial) {
          expectUnlessSuppressed(user.userId(), author, at, key);
        } else if (!model.isSuppressed(user.userId(), author, at) && mayKeep(post, edge, key)) {
          allowed.add(key);
        }
      }
    }
  }

  private void expect(String to, NotificationType type, String actor, Instant at, String subject) {
    if (!to.equals(actor)) {
      expectUnlessSuppressed(to, actor, at, key(to, type, actor, at, subject));
    }
  }

  /**
   * Expects a notification unless a block or mute suppresses it. It is optional when a block or
   * mute existed only for some time, and when it has expired.
   */
  private void expectUnlessSuppressed(String to, String actor, Instant at, Key notification) {
    if (!model.isSuppressed(to, actor, at)) {
      boolean isOptional = model.wasBlockedOrMuted(to, actor) || isLate(at);
      (isOptional ? allowed : required).add(notification);
    }
  }

  /** Whether the notification of an event is not written any more, and may be deleted. */
  private boolean isLate(Instant at) {
    return Notifications.isLate(at.plus(Subject.NOTIFICATIONS_LIVE).getEpochSecond(), now);
  }

  private static Key key(
      String to, NotificationType type, String actor, Instant at, String subject) {
    var id = TimeOrderedId.named(at, type.name(), to, actor, subject);
    return Notification.key(to, at, id);
  }

  private void mentions(Post post) {
    for (Mention mention : post.mentions()) {
      var to = mention.userId();
      if (to.equals(post.authorId()) || post.visibility() == Visibility.PRIVATE) {
        continue;
      }
      var key = key(to, NotificationType.MENTION, post.authorId(), post.createdAt(), post.postId());
      var edge = Follow.key(to, post.authorId());
      boolean wasFollower = model.followedBefore(edge, post.createdAt());
      if (post.visibility() == Visibility.PUBLIC || wasFollower) {
        expectUnlessSuppressed(to, post.authorId(), post.createdAt(), key);
      } else if (model.everFollowed.contains(edge)
          && !model.isSuppressed(to, post.authorId(), post.createdAt())
          && mayKeep(post, edge, key)) {
        allowed.add(key);
      }
    }
  }

  /** A follower at the time of delivery received it and keeps it after an unfollow. */
  private boolean mayKeep(Post post, Key edge, Key notification) {
    return post.visibility() == Visibility.PUBLIC
        || model.edges.containsKey(edge)
        || order.isOlderThanItsEnd(notification, edge, post.key());
  }
}
