package social.feed.streams.effect;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.engagement.PostChildren;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;

/**
 * Handles new likes and comments. One that was written while its post was being deleted is removed,
 * since the clean-up of the post may have passed it. One that was undone since has its notification
 * retracted. One read unit a post and a row, two for each author who is notified, two write units
 * each. One call for each notification, several at once, and one for 25 that are removed.
 */
public final class PostInteractionHandler
    implements EffectHandler<PostInteractionHandler.PostInteraction> {
  /**
   * A like or a comment arrived. Notifies the post's author, unless the author wrote it, and
   * removes the row when the post is gone.
   */
  public record PostInteraction(String postId, Key row, Optional<Notification> notification)
      implements Effect {}

  private final PostChildren children;
  private final Notifications notifications;
  private final NotificationSources sources;
  private final NotificationFilter filter;
  private final int atOnce;

  public PostInteractionHandler(EffectContext context) {
    this.children = context.children;
    this.notifications = context.notifications;
    this.sources = context.sources;
    this.filter = context.filter;
    this.atOnce = context.sizes.notificationsAtOnce();
  }

  @Override
  public void apply(List<PostInteraction> effects) {
    var allowed =
        filter.allowed(effects.stream().flatMap(effect -> effect.notification().stream()).toList());
    notifications.addAll(allowed, atOnce);
    var present = sources.present(effects.stream().flatMap(PostInteractionHandler::keys).toList());
    var orphans = new ArrayList<Key>();
    var undone = new ArrayList<Key>();
    for (var effect : effects) {
      boolean orphan = !present.containsKey(Post.key(effect.postId()));
      if (orphan) {
        orphans.add(effect.row());
      }
      effect
          .notification()
          .filter(one -> orphan || !one.createdAt().equals(present.get(effect.row())))
          .ifPresent(one -> undone.add(one.key()));
    }
    children.delete(orphans);
    notifications.retract(undone);
  }

  private static Stream<Key> keys(PostInteraction effect) {
    var post = Post.key(effect.postId());
    return effect.notification().isPresent() ? Stream.of(post, effect.row()) : Stream.of(post);
  }
}
