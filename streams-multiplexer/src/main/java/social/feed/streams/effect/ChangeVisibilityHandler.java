package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import social.feed.streams.plan.Effect.ChangeVisibility;
import social.feed.table.engagement.PostChildren;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.PostTags;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Brings tag rows and feeds in line with who may read a post. One that became private goes out of
 * all feeds but its author's; one that is not, or no longer, is delivered, anew to those who have
 * it. Costs what {@link PostFeeds} says, and two write units a tag.
 */
final class ChangeVisibilityHandler implements EffectHandler<ChangeVisibility> {
  private final PostReconciler posts;
  private final PostTags tags;
  private final PostChildren children;
  private final HomeFeeds feeds;
  private final FanOuts fanOuts;
  private final PostFeeds postFeeds;

  ChangeVisibilityHandler(
      PostReconciler posts,
      PostTags tags,
      PostChildren children,
      HomeFeeds feeds,
      FanOuts fanOuts,
      PostFeeds postFeeds) {
    this.posts = posts;
    this.tags = tags;
    this.children = children;
    this.feeds = feeds;
    this.fanOuts = fanOuts;
    this.postFeeds = postFeeds;
  }

  @Override
  public void apply(List<ChangeVisibility> effects) {
    posts.reflect(effects.stream().map(ChangeVisibility::post).toList(), this::reflect, this::gone);
  }

  private void reflect(Collection<Post> some) {
    tags.write(some);
    var isPrivate =
        some.stream()
            .collect(Collectors.partitioningBy(post -> post.visibility() == Visibility.PRIVATE));
    isPrivate.getOrDefault(true, List.of()).forEach(feeds::withdrawFromOthers);
    var shown = isPrivate.getOrDefault(false, List.of());
    // The earlier plan says that the whole audience was served.
    shown.forEach(post -> fanOuts.forget(post.postId()));
    postFeeds.push(shown, shown.stream().map(Post::postId).collect(Collectors.toSet()));
  }

  private void gone(Post post) {
    feeds.withdrawPost(post.postId(), post.feedShards());
    fanOuts.forget(post.postId());
    children.deleteAll(post.postId());
  }
}
