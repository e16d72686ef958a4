package social.feed.streams.effect;

import java.util.Collection;
import java.util.LinkedHashSet;
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
 * same as {@link PostFeeds}, and two write units a tag. A post that is in no feed of others and has
 * no tag is not read again, so that further changes of it are left to their own records.
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

  private Collection<Post> reflect(Collection<Post> changed) {
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
