package social.feed.streams.effect;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.post.RecentDeliveries;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;

/**
 * Removes the author's posts from the feed after an unfollow, unless the reader keeps them or
 * follows again by now. A reader who follows again concurrently gets back what was removed.
 *
 * <p>The keys of the entries follow from the author's posts, as far back as feeds hold posts. The
 * entries are read strongly consistent, so none that a delivery wrote before the unfollow is
 * missed. A delivery that writes later looks at the edge afterwards, and removes its entries
 * itself. Costs three read units, half a one for each 4 KB of the author's list, one for each
 * pushed post of the last 91 days, two for each page with entries, and two write units for each
 * entry. It does not depend on the feed. Holds a page of the author's posts and at most {@value
 * RecentDeliveries#MAX} recent ones in memory for each edge; an attempt that is cut off has removed
 * the pages before. Several edges are handled at once: all edges to an account have one partition
 * key, and an erasure ends many.
 */
public final class RemoveFromFeedHandler
    implements EffectHandler<RemoveFromFeedHandler.RemoveFromFeed> {
  /** Removes an author's posts from a former follower's feed, unless the follower keeps them. */
  public record RemoveFromFeed(Follow edge) implements Effect {}

  /** Entries that are read at once. */
  private static final int PAGE = 100;

  private final FollowEdges follows;
  private final RetainedPostsStore retainedPosts;
  private final RecentDeliveries deliveries;
  private final HomeFeeds feeds;
  private final FeedReconciler reconciler;
  private final Concurrency concurrency;
  private final Clock clock;

  public RemoveFromFeedHandler(EffectContext context) {
    this.follows = context.follows;
    this.retainedPosts = context.retainedPosts;
    this.deliveries = context.deliveries;
    this.feeds = context.feeds;
    this.reconciler = context.feedReconciler;
    this.concurrency = context.removing;
    this.clock = context.clock;
  }

  @Override
  public void apply(List<RemoveFromFeed> effects) {
    var byEdge =
        effects.stream()
            .map(RemoveFromFeed::edge)
            .collect(Collectors.groupingBy(Follow::key, LinkedHashMap::new, Collectors.toList()));
    concurrency.forEach(List.copyOf(byEdge.values()), ends -> ends.forEach(this::remove));
  }

  private void remove(Follow edge) {
    if (mayStay(edge)) {
      return;
    }
    var unused = entries(edge).gather(Gatherers.windowFixed(PAGE)).allMatch(p -> remove(edge, p));
  }

  /**
   * The entries that the feed may hold, newest first, read page by page. Ends at the first post
   * that is too old, also where all are pulled.
   */
  private Stream<FeedEntry> entries(Follow edge) {
    var expired = FeedEntry.expired(clock.instant());
    return deliveries
        .withAllOfAuthor(edge.followeeId())
        .takeWhile(ref -> ref.createdAt().isAfter(expired))
        .filter(ref -> ref.delivery() != FanOutMode.PULL)
        .map(ref -> FeedEntry.of(ref, edge.followerId()));
  }

  /** Returns whether the removal goes on: not where the reader follows again. */
  private boolean remove(Follow edge, List<FeedEntry> page) {
    var present = feeds.present(page);
    var held = page.stream().filter(entry -> present.contains(entry.postId())).toList();
    feeds.withdraw(held);
    boolean goesOn = held.isEmpty() || !mayStay(edge);
    if (!goesOn) {
      reconciler.restore(held);
    }
    return goesOn;
  }

  private boolean mayStay(Follow edge) {
    return follows.get(edge.followerId(), edge.followeeId()).isPresent()
        || retainedPosts.keeps(edge.followerId(), edge.followeeId());
  }
}
