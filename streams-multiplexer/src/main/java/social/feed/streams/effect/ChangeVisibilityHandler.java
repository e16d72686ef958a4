package social.feed.streams.effect;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import social.feed.table.engagement.PostChildren;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.PostTags;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Reflects the visibility of a post in tag rows and feeds. A post that became private leaves all
 * feeds except its author's. Any other post is delivered, again to those who have it. Costs the
 * same as {@link PostFeeds}, two write units a tag, and one that notes that the effect has begun. A
 * post that has changed again is left to the record of that change, at the cost of one read unit. A
 * post that is in no feed of others and has no tag is not read again.
 */
public final class ChangeVisibilityHandler
    implements EffectHandler<ChangeVisibilityHandler.ChangeVisibility> {
  /** Reflects in feeds and tag rows that a post became private or is no longer private. */
  public record ChangeVisibility(Post post) implements Effect {}

  private final PostReconciler reconciler;
  private final Posts posts;
  private final PostTags tags;
  private final PostChildren children;
  private final HomeFeeds feeds;
  private final FanOuts fanOuts;
  private final PostFeeds postFeeds;

  public ChangeVisibilityHandler(EffectContext context) {
    this.reconciler = context.postReconciler;
    this.posts = context.posts;
    this.tags = context.tags;
    this.children = context.children;
    this.feeds = context.feeds;
    this.fanOuts = context.fanOuts;
    this.postFeeds = context.postFeeds;
  }

  @Override
  public void apply(List<ChangeVisibility> effects) {
    reconciler.reflect(
        effects.stream().map(ChangeVisibility::post).toList(), this::reflect, this::remove);
  }

  /** The effect that becomes a dead letter counts as begun, so that no other is left to it. */
  @Override
  public void deadLettered(ChangeVisibility effect) {
    posts.beginReflection(effect.post());
  }

  private Collection<Post> reflect(Collection<Post> changed) {
    // Before the first write: an earlier effect that may still write then sees that it must check.
    changed.forEach(posts::beginReflection);
    tags.write(changed);
    var written =
        changed.stream()
            .filter(post -> !post.tags().isEmpty())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    var isPrivate =
        changed.stream()
            .collect(Collectors.partitioningBy(post -> post.visibility() == Visibility.PRIVATE));
    isPrivate.getOrDefault(true, List.of()).stream()
        .filter(feeds::withdrawFromOtherReaders)
        .forEach(written::add);
    var shown = isPrivate.getOrDefault(false, List.of());
    // The earlier plan records that the whole audience was served.
    shown.forEach(post -> fanOuts.forget(post.postId()));
    var delivered =
        postFeeds.push(shown, shown.stream().map(Post::postId).collect(Collectors.toSet()));
    shown.stream().filter(post -> delivered.contains(post.postId())).forEach(written::add);
    return written;
  }

  private void remove(Post post) {
    feeds.withdrawPost(post.postId(), post.feedShards());
    fanOuts.forget(post.postId());
    children.deleteAll(post.postId());
  }
}
