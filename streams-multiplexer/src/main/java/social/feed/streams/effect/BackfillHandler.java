package social.feed.streams.effect;

import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import social.feed.streams.effect.ReconcileFeedHandler.ReconcileFeed;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.post.RecentPosts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.PostRef;

/**
 * Puts an author's newest posts into a new follower's feed, at their own time, with all posts that
 * were written since the follow. Then notes on the edge how far back the feed reaches. Costs one
 * read unit an edge and, for {@value #EDGES} edges, one and a half an author, with one for each
 * post that was delivered lately; where there are posts also two read and two write units a post,
 * and one write unit for the note.
 *
 * <p>An edge with a note was begun by an earlier attempt, which may have been cut off before it
 * reconciled the feed. That is noted as well, for one more write unit, and {@link
 * ReconcileFeedHandler} then checks all entries of the author in the feed. For an edge that is gone
 * this handler checks them at once: an earlier attempt may have written after the removal was
 * handled, when a dead letter was redriven.
 */
public final class BackfillHandler implements EffectHandler<BackfillHandler.Backfill> {
  /** Puts an author's newest posts into a new follower's feed. */
  public record Backfill(Follow edge) implements Effect {}

  /** Edges whose entries are in memory at once. */
  private static final int EDGES = 100;

  private final FollowEdges follows;
  private final HomeFeeds feeds;
  private final FeedReconciler reconciler;
  private final RecentPosts recentPosts;
  private final int atOnce;
  private final Clock clock;

  public BackfillHandler(EffectContext context) {
    this.follows = context.follows;
    this.feeds = context.feeds;
    this.reconciler = context.feedReconciler;
    this.recentPosts = context.recentPosts;
    this.atOnce = context.sizes.authorsAtOnce();
    this.clock = context.clock;
  }

  @Override
  public void apply(List<Backfill> effects) {
    var edges = effects.stream().map(Backfill::edge).toList();
    var present = follows.at(edges.stream().map(Follow::key).toList());
    edges.stream()
        .filter(edge -> present.containsKey(edge.key()))
        .gather(Gatherers.windowFixed(EDGES))
        .forEach(this::fill);
    present.values().stream()
        .filter(edge -> edge.feedSince() != null)
        .forEach(edge -> follows.noteRetried(edge, clock.instant()));
    edges.stream()
        .filter(edge -> !present.containsKey(edge.key()))
        .map(edge -> new ReconcileFeed(edge.followerId(), Optional.of(edge.followeeId())))
        .distinct()
        .forEach(reconciler::reconcile);
  }

  private void fill(List<Follow> edges) {
    var edgesTo =
        edges.stream()
            .collect(
                Collectors.groupingBy(Follow::followeeId, LinkedHashMap::new, Collectors.toList()));
    var entries =
        ParallelCalls.map(List.copyOf(edgesTo.entrySet()), atOnce, to -> entries(to.getValue()))
            .stream()
            .flatMap(List::stream)
            .toList();
    feeds.deliver(entries);
    reconciler.withdrawIneligible(entries);
  }

  /**
   * Returns the entries of some followers of one author. Thousands may follow at once, so their
   * edges are noted some at a time as well.
   */
  private List<FeedEntry> entries(List<Follow> edges) {
    var recent = recent(edges.getFirst().followeeId(), edges);
    return ParallelCalls.map(edges, atOnce, edge -> noted(edge, recent)).stream()
        .flatMap(Optional::stream)
        .flatMap(List::stream)
        .toList();
  }

  private List<PostRef> recent(String authorId, List<Follow> edges) {
    var first = edges.stream().map(Follow::createdAt).min(Instant::compareTo).orElseThrow();
    return recentPosts.of(authorId, first);
  }

  /** Writes the note first: from then on the feed must hold the entries. */
  private Optional<List<FeedEntry>> noted(Follow edge, List<PostRef> recent) {
    if (recent.isEmpty()) {
      return Optional.empty();
    }
    var since = recentPosts.reach(recent, edge);
    return follows
        .noteBackfilled(edge, since)
        .map(noted -> entries(edge, reaching(edge, recent, since, noted), noted));
  }

  /**
   * The first note holds: a later attempt reaches back exactly as far, although the author has
   * newer posts by now.
   */
  private List<PostRef> reaching(Follow edge, List<PostRef> recent, Instant since, Instant noted) {
    return noted.isBefore(since) ? recentPosts.of(edge.followeeId(), noted) : recent;
  }

  private List<FeedEntry> entries(Follow edge, List<PostRef> recent, Instant noted) {
    var horizon = FeedEntry.horizon(clock.instant());
    return recent.stream()
        .filter(ref -> ref.delivery() != FanOutMode.PULL)
        .filter(ref -> !ref.createdAt().isBefore(noted))
        .filter(ref -> !ref.createdAt().isBefore(horizon))
        .map(ref -> FeedEntry.of(ref, edge.followerId()))
        .toList();
  }
}
