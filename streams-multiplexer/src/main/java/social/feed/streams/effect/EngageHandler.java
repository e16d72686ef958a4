package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.Engage;
import social.feed.table.engagement.PostChildren;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;

/**
 * Likes and comments that arrived. One that was written while its post was being deleted is
 * removed, since the clean-up of the post may have passed it. One read unit a post, two write units
 * each.
 */
final class EngageHandler implements EffectHandler<Engage> {
  private final Posts posts;
  private final PostChildren children;
  private final Notifications notifications;

  EngageHandler(Posts posts, PostChildren children, Notifications notifications) {
    this.posts = posts;
    this.children = children;
    this.notifications = notifications;
  }

  @Override
  public void apply(List<Engage> effects) {
    var there = posts.getAll(effects.stream().map(Engage::postId).toList(), true).keySet();
    for (var effect : effects) {
      if (there.contains(effect.postId())) {
        effect.notification().ifPresent(notifications::add);
      } else {
        children.delete(effect.row());
      }
    }
  }
}
