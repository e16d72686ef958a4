package social.feed.streams.effect;

import java.util.List;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;

/**
 * Reflects the visibility of a post in tag rows and feeds. A post that became private leaves all
 * feeds except its author's: some hundred at once, the others by {@link ContinueCleanUpHandler}.
 * Any other post is delivered, again to those who have it. Costs the same as {@link PostFeeds}, two
 * write units a tag, and one that notes that the effect has begun. A post that has changed again is
 * left to the record of that change, at the cost of one read unit. A post that is in no feed of
 * others and has no tag is not read again.
 */
public final class ChangeVisibilityHandler
    implements EffectHandler<ChangeVisibilityHandler.ChangeVisibility> {
  /** Reflects in feeds and tag rows that a post became private or is no longer private. */
  public record ChangeVisibility(Post post) implements Effect {}

  private final Posts posts;
  private final VisibilityReflection reflection;

  public ChangeVisibilityHandler(EffectContext context) {
    this.posts = context.posts;
    this.reflection = new VisibilityReflection(context);
  }

  @Override
  public void apply(List<ChangeVisibility> effects) {
    reflection.reflect(effects.stream().map(ChangeVisibility::post).toList());
  }

  /** The effect that becomes a dead letter counts as begun, so that no other is left to it. */
  @Override
  public void deadLettered(ChangeVisibility effect) {
    posts.beginReflection(effect.post());
  }
}
