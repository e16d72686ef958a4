package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Mention;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/** Everybody is told of what is so, and of nothing else. */
final class NotificationAudit {
  private final ReferenceModel truth;
  private final Map<Key, Row> rows;
  private final Set<Key> must = new HashSet<>();
  private final Set<Key> may = new HashSet<>();

  NotificationAudit(ReferenceModel truth, Map<Key, Row> rows) {
    this.truth = truth;
    this.rows = rows;
  }

  List<String> violations() {
    for (var like : truth.likes.values()) {
      tell(
          like.postAuthorId(),
          NotificationType.LIKE,
          like.userId(),
          like.createdAt(),
          like.postId());
    }
    for (var comment : truth.comments.values()) {
      tell(
          comment.postAuthorId(),
          NotificationType.COMMENT,
          comment.authorId(),
          comment.createdAt(),
          comment.commentId());
    }
    for (var edge : truth.edges.values()) {
      tell(
          edge.followeeId(),
          NotificationType.FOLLOW,
          edge.followerId(),
          edge.createdAt(),
          edge.followeeId());
    }
    truth.posts.values().forEach(this::mentions);
    truth.posts.values().forEach(this::announced);
    return differences();
  }

  private List<String> differences() {
    var violations = new ArrayList<String>();
    for (var key : must) {
      if (!rows.containsKey(key)) {
        violations.add("notifications lack " + key);
      }
    }
    for (var row : rows.values()) {
      if (row instanceof Notification n && !must.contains(n.key()) && !may.contains(n.key())) {
        violations.add("notifications have " + n.type() + " " + n.key());
      }
      if (row instanceof Notification n && n.type() == NotificationType.POST && !isFound(n)) {
        violations.add("nobody would take back " + n.key());
      }
    }
    return violations;
  }

  private boolean isFound(Notification told) {
    return rows.containsKey(PostNotification.key(requireNonNull(told.postId()), told.userId()));
  }

  /** Whoever followed specially before is told, and nobody who never did. */
  private void announced(Post post) {
    if (post.visibility() == Visibility.PRIVATE) {
      return;
    }
    for (var row : rows.values()) {
      if (row instanceof User user && truth.mayHaveBeenTold(user.userId(), post)) {
        var author = post.authorId();
        var edge = Follow.key(user.userId(), author);
        boolean always = truth.specialBefore(edge, post.createdAt());
        var at = post.createdAt();
        var key = key(user.userId(), NotificationType.POST, author, at, post.postId());
        if (always) {
          hears(user.userId(), author, at, key);
        } else if (!truth.isDeaf(user.userId(), author, at)) {
          may.add(key);
        }
      }
    }
  }

  private void tell(String to, NotificationType type, String actor, Instant at, String subject) {
    if (!to.equals(actor)) {
      hears(to, actor, at, key(to, type, actor, at, subject));
    }
  }

  /** Whoever was behind a block or a mute for a time only may have been told, or not. */
  private void hears(String to, String actor, Instant at, Key notification) {
    if (!truth.isDeaf(to, actor, at)) {
      (truth.wasBarred(to, actor) ? may : must).add(notification);
    }
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
      var followed = Follow.key(to, post.authorId());
      boolean always = truth.followedBefore(followed, post.createdAt());
      if (post.visibility() == Visibility.PUBLIC || always) {
        hears(to, post.authorId(), post.createdAt(), key);
      } else if (truth.everFollowed.contains(followed)
          && !truth.isDeaf(to, post.authorId(), post.createdAt())) {
        // Whoever followed when it was delivered was told, and stays so.
        may.add(key);
      }
    }
  }
}
