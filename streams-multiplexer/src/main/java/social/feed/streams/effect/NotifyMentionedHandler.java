package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.graph.FollowEdges;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;

/**
 * Notifies the accounts that a post mentions, if they may read it now, and retracts the
 * notifications of others. Two read units a post, and two write units a notification, one where it
 * was written before. For a post for followers two more read units a mention, and two for each
 * recipient.
 */
public final class NotifyMentionedHandler
    implements EffectHandler<NotifyMentionedHandler.NotifyMentioned> {
  /** Notifies the accounts that a post mentions and that may read it now, and no others. */
  public record NotifyMentioned(Post post, List<Notification> notifications) implements Effect {}

  private final PostReconciler posts;
  private final FollowEdges follows;
  private final Notifications notifications;
  private final NotificationFilter filter;
  private final int atOnce;

  public NotifyMentionedHandler(EffectContext context) {
    this.posts = context.postReconciler;
    this.follows = context.follows;
    this.notifications = context.notifications;
    this.filter = context.filter;
    this.atOnce = context.sizes.notificationsAtOnce();
  }

  @Override
  public void apply(List<NotifyMentioned> effects) {
    for (var effect : effects) {
      posts.reflect(
          Set.of(effect.post()),
          current -> {
            current.forEach(post -> notify(post, effect.notifications()));
            return current;
          },
          _ -> retract(effect.notifications()));
    }
  }

  private void notify(Post post, List<Notification> all) {
    var readers = readers(post, all);
    notifications.addAll(
        filter.allowed(all.stream().filter(one -> readers.contains(one.userId())).toList()),
        atOnce);
    // An account that has unfollowed since may not see a post for followers.
    var still = readers(post, all);
    retract(all.stream().filter(one -> !still.contains(one.userId())).toList());
  }

  private Set<String> readers(Post post, List<Notification> all) {
    var mentioned = all.stream().map(Notification::userId).collect(Collectors.toSet());
    return switch (post.visibility()) {
      case PUBLIC -> mentioned;
      case FOLLOWERS -> followers(post.authorId(), mentioned);
      case PRIVATE -> Set.of();
    };
  }

  private Set<String> followers(String authorId, Set<String> accounts) {
    Set<Key> edges = follows.there(accounts.stream().map(id -> Follow.key(id, authorId)).toList());
    return accounts.stream()
        .filter(id -> edges.contains(Follow.key(id, authorId)))
        .collect(Collectors.toSet());
  }

  private void retract(Collection<Notification> retracted) {
    notifications.retract(retracted.stream().map(Notification::key).toList());
  }
}
