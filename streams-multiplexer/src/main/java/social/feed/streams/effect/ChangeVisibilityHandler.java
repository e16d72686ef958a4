package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import social.feed.table.engagement.PostChildren;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.PostTags;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Reflects the visibility of a post in tag rows and feeds. A post that became private leaves all
 * feeds except its author's. Any other post is delivered, again to those who have it. Costs the
 * same as {@link PostFeeds}, and two write units a tag.
 */
public final class ChangeVisibilityHandler
    implements EffectHandler<ChangeVisibilityHandler.ChangeVisibility> {
  /** Reflects in feeds and tag rows that a post became private or is no longer private. */
  public record ChangeVisibility(Post post) implements Effect {}

  private final PostReconciler posts;
  private final PostTags tags;
  private final PostChildren children;
  private final HomeFeeds feeds;
  private final FanOuts fanOuts;
  private final PostFeeds postFeeds;

  public ChangeVisibilityHandler(EffectContext context) {
    this.posts = context.postReconciler;
    this.tags = context.tags;
    this.children = context.children;
    this.feeds = context.feeds;
    this.fanOuts = context.fanOuts;
    this.postFeeds = context.postFeeds;
  }

  @Override
  public void apply(List<ChangeVisibility> effects) {
    posts.reflect(
        effects.stream().map(ChangeVisibility::post).toList(), this::reflect, this::remove);
  }

  private void reflect(Collection<Post> changed) {
    tags.write(changed);
    var isPrivate =
        changed.stream()
            .collect(Collectors.partitioningBy(post -> post.visibility() == Visibility.PRIVATE));
    isPrivate.getOrDefault(true, List.of()).forEach(feeds::withdrawFromOtherReaders);
    var shown = isPrivate.getOrDefault(false, List.of());
    // The earlier plan records that the whole audience was served.
    shown.forEach(post -> fanOuts.forget(post.postId()));
    postFeeds.push(shown, shown.stream().map(Post::postId).collect(Collectors.toSet()));
  }

  private void remove(Post post) {
    feeds.withdrawPost(post.postId(), post.feedShards());
    fanOuts.forget(post.postId());
    children.deleteAll(post.postId());
  }
}
