package social.feed.streams.effect;

import java.util.List;
import java.util.stream.Stream;
import social.feed.streams.plan.Effect.PostInteraction;
import social.feed.table.engagement.PostChildren;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Key;
import social.feed.table.row.Post;

/**
 * Likes and comments that arrived. One that was written while its post was being deleted is
 * removed, since the clean-up of the post may have passed it; one that was undone meanwhile is not
 * told of. One read unit a post and a row, two for each author who is told, two write units each.
 */
final class PostInteractionHandler implements EffectHandler<PostInteraction> {
  private final PostChildren children;
  private final Notifications notifications;
  private final NotificationSources causes;
  private final NotificationFilter listeners;

  PostInteractionHandler(
      PostChildren children,
      Notifications notifications,
      NotificationSources causes,
      NotificationFilter listeners) {
    this.children = children;
    this.notifications = notifications;
    this.causes = causes;
    this.listeners = listeners;
  }

  @Override
  public void apply(List<PostInteraction> effects) {
    listeners
        .wanted(effects.stream().flatMap(effect -> effect.notification().stream()).toList())
        .forEach(notifications::add);
    var there = causes.there(effects.stream().flatMap(PostInteractionHandler::keys).toList());
    for (var effect : effects) {
      boolean orphan = !there.containsKey(Post.key(effect.postId()));
      if (orphan) {
        children.delete(effect.row());
      }
      effect
          .notification()
          .filter(told -> orphan || !told.createdAt().equals(there.get(effect.row())))
          .ifPresent(told -> notifications.retract(told.key()));
    }
  }

  private static Stream<Key> keys(PostInteraction effect) {
    var post = Post.key(effect.postId());
    return effect.notification().isPresent() ? Stream.of(post, effect.row()) : Stream.of(post);
  }
}
