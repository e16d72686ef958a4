package social.feed.streams.effect;

import java.util.List;
import java.util.stream.Stream;
import social.feed.streams.plan.Effect.FanOut;
import social.feed.table.graph.Follows;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.post.Posts;
import social.feed.table.row.Delivery;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Puts posts into feeds: the authors' own first, then the followers' in the order of their ids,
 * unless the post is pulled. Audiences of several posts are written together, some thousand entries
 * at a time, so that memory does not grow with the audience and small audiences fill whole batches.
 * Two write units a feed.
 *
 * <p>An unfollow or a delete can run beside it. Both are looked for after the entries were written,
 * strongly consistent: one that came before is then seen here, and one that comes later finds the
 * entries and removes them itself.
 */
final class FanOutHandler implements EffectHandler<FanOut> {
  private final Posts posts;
  private final Follows follows;
  private final HomeFeeds feeds;
  private final PullRegistry registry;
  private final Deliveries deliveries;

  FanOutHandler(
      Posts posts, Follows follows, HomeFeeds feeds, PullRegistry registry, Deliveries deliveries) {
    this.posts = posts;
    this.follows = follows;
    this.feeds = feeds;
    this.registry = registry;
    this.deliveries = deliveries;
  }

  @Override
  public void apply(List<FanOut> effects) {
    var ids = effects.stream().map(effect -> effect.post().postId()).toList();
    var found = posts.getAll(ids, true).keySet();
    var there = effects.stream().map(FanOut::post).filter(p -> found.contains(p.postId())).toList();
    feeds.deliver(there.stream().map(p -> FeedEntry.of(p.ref(), p.authorId())).toList());
    there.stream().filter(p -> p.delivery() == Delivery.PULL).forEach(this::registerPulled);
    deliveries.deliver(
        there.stream().filter(p -> p.delivery() == Delivery.PUSH).flatMap(this::slices));
    var left = posts.getAll(found, true).keySet();
    there.stream()
        .filter(post -> !left.contains(post.postId()))
        .forEach(post -> feeds.withdrawPost(post.postId(), post.feedShards()));
  }

  /** Whoever wrote it may have seen a flip that the registry is yet to hear of. */
  private void registerPulled(Post post) {
    registry.change(post.authorId(), post.createdAt(), author -> author.covering(post.createdAt()));
  }

  private Stream<Deliveries.Slice> slices(Post post) {
    return post.visibility() == Visibility.PRIVATE
        ? Stream.empty()
        : follows.reach(post.authorId()).map(page -> new Deliveries.Slice(post, page));
  }
}
