package social.feed.streams.effect;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import social.feed.streams.plan.Effect.FanOut;
import social.feed.table.graph.Follows;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.post.Posts;
import social.feed.table.row.Delivery;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.table.time.Timestamps;

/**
 * Puts posts into feeds: the authors' own first, then those of the followers, unless the post is
 * pulled. Small audiences of several posts are served together, so that they fill whole batches; a
 * larger one is cut into chunks, whose inserts come back through the stream. Two write units a feed
 * and one for the plan.
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
  private final FanOuts fanOuts;
  private final FanOutPlanner planner;
  private final Deliveries deliveries;
  private final Clock clock;

  FanOutHandler(
      Posts posts,
      Follows follows,
      HomeFeeds feeds,
      PullRegistry registry,
      FanOuts fanOuts,
      Deliveries deliveries,
      Clock clock) {
    this.posts = posts;
    this.follows = follows;
    this.feeds = feeds;
    this.registry = registry;
    this.fanOuts = fanOuts;
    this.planner = new FanOutPlanner(follows, fanOuts, clock);
    this.deliveries = deliveries;
    this.clock = clock;
  }

  @Override
  public void apply(List<FanOut> effects) {
    var ids = effects.stream().map(effect -> effect.post().postId()).toList();
    var found = posts.getAll(ids, true).keySet();
    var there = effects.stream().map(FanOut::post).filter(p -> found.contains(p.postId())).toList();
    feeds.deliver(there.stream().map(p -> FeedEntry.of(p.ref(), p.authorId())).toList());
    there.stream().filter(p -> p.delivery() == Delivery.PULL).forEach(this::registerPulled);
    push(there.stream().filter(p -> p.delivery() == Delivery.PUSH).toList());
    var left = posts.getAll(found, true).keySet();
    there.stream()
        .filter(post -> !left.contains(post.postId()))
        .forEach(post -> feeds.withdrawPost(post.postId(), post.feedShards()));
  }

  /** Whoever wrote it may have seen a flip that the registry is yet to hear of. */
  private void registerPulled(Post post) {
    registry.change(post.authorId(), post.createdAt(), author -> author.covering(post.createdAt()));
  }

  private void push(List<Post> pushed) {
    var served = new ArrayList<FanOutPlan>();
    var now = Timestamps.now(clock);
    deliveries.deliver(
        pushed.stream().flatMap(this::slice),
        delivered ->
            served.add(
                FanOutPlan.served(
                    delivered.slice().post().postId(),
                    delivered.written(),
                    delivered.skipped(),
                    now,
                    planner.expiry(now))));
    fanOuts.served(served);
  }

  /** The whole audience, where it is small; a larger one is cut. */
  private Stream<Deliveries.Slice> slice(Post post) {
    if (post.visibility() == Visibility.PRIVATE) {
      return Stream.of(new Deliveries.Slice(post, List.of()));
    }
    var first = follows.reachAfter(post.authorId(), null, FanOutPlanner.CHUNK);
    if (first.size() < FanOutPlanner.CHUNK) {
      return Stream.of(new Deliveries.Slice(post, first));
    }
    planner.plan(post);
    return Stream.empty();
  }
}
