package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.streams.plan.Effect.NotifyMentioned;
import social.feed.table.graph.FollowEdges;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;

/**
 * Tells those whom a post mentions, as far as they may read it now, and takes back what others were
 * told. Two read units a post and two write units each, one where it was told before; of a post for
 * followers two read units each more, and two for each of those who are told.
 */
final class NotifyMentionedHandler implements EffectHandler<NotifyMentioned> {
  private final PostReconciler posts;
  private final FollowEdges follows;
  private final Notifications notifications;
  private final NotificationFilter listeners;

  NotifyMentionedHandler(
      PostReconciler posts,
      FollowEdges follows,
      Notifications notifications,
      NotificationFilter listeners) {
    this.posts = posts;
    this.follows = follows;
    this.notifications = notifications;
    this.listeners = listeners;
  }

  @Override
  public void apply(List<NotifyMentioned> effects) {
    for (var effect : effects) {
      posts.reflect(
          Set.of(effect.post()),
          current -> current.forEach(post -> tell(post, effect.notifications())),
          _ -> retract(effect.notifications()));
    }
  }

  private void tell(Post post, List<Notification> all) {
    var readers = readers(post, all);
    listeners
        .wanted(all.stream().filter(told -> readers.contains(told.userId())).toList())
        .forEach(notifications::add);
    // Whoever unfollowed meanwhile is not to know of a post for followers.
    var still = readers(post, all);
    retract(all.stream().filter(told -> !still.contains(told.userId())).toList());
  }

  private Set<String> readers(Post post, List<Notification> told) {
    var mentioned = told.stream().map(Notification::userId).collect(Collectors.toSet());
    return switch (post.visibility()) {
      case PUBLIC -> mentioned;
      case FOLLOWERS -> followers(post.authorId(), mentioned);
      case PRIVATE -> Set.of();
    };
  }

  private Set<String> followers(String authorId, Set<String> some) {
    Set<Key> edges = follows.there(some.stream().map(id -> Follow.key(id, authorId)).toList());
    return some.stream()
        .filter(id -> edges.contains(Follow.key(id, authorId)))
        .collect(Collectors.toSet());
  }

  private void retract(Collection<Notification> told) {
    told.forEach(notification -> notifications.retract(notification.key()));
  }
}
