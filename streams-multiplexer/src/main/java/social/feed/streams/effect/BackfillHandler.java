package social.feed.streams.effect;

import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import social.feed.streams.plan.Effect.Backfill;
import social.feed.streams.plan.Effect.ReconcileFeed;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.post.RecentPosts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.PostRef;

/**
 * Puts an author's newest posts into a new follower's feed, at their own time, with all that were
 * written since the follow, and notes on the edge how far back that is. One read unit an edge and
 * half a one an author, and where there are posts two read and two write units a post, and one
 * write unit for the note.
 *
 * <p>An edge that has its note was begun before, by an attempt that may have been cut off before it
 * looked again. That is noted as well, for one more write unit, and {@link ReconcileFeedHandler}
 * looks at all that the feed then holds of the author. It does so at once for an edge that is gone:
 * an earlier attempt may have written after the removal was handled, when a dead letter was
 * redriven.
 */
final class BackfillHandler implements EffectHandler<Backfill> {
  private final FollowEdges follows;
  private final HomeFeeds feeds;
  private final FeedReconciler secondLook;
  private final ReconcileFeedHandler lookAgain;
  private final RecentPosts recentPosts;
  private final int atOnce;
  private final Clock clock;

  /**
   * @param atOnce how many authors are read, and of each how many followers are noted, at a time
   */
  BackfillHandler(
      RecentPosts recentPosts,
      FollowEdges follows,
      HomeFeeds feeds,
      FeedReconciler secondLook,
      ReconcileFeedHandler lookAgain,
      int atOnce,
      Clock clock) {
    this.follows = follows;
    this.feeds = feeds;
    this.secondLook = secondLook;
    this.lookAgain = lookAgain;
    this.recentPosts = recentPosts;
    this.atOnce = atOnce;
    this.clock = clock;
  }

  @Override
  public void apply(List<Backfill> effects) {
    var wanted = effects.stream().map(Backfill::edge).toList();
    var there = follows.at(wanted.stream().map(Follow::key).toList());
    fill(wanted.stream().filter(edge -> there.containsKey(edge.key())).toList());
    there.values().stream()
        .filter(edge -> edge.feedSince() != null)
        .forEach(edge -> follows.noteRetried(edge, clock.instant()));
    lookAgain.apply(
        wanted.stream()
            .filter(edge -> !there.containsKey(edge.key()))
            .map(edge -> new ReconcileFeed(edge.followerId(), Optional.of(edge.followeeId())))
            .toList());
  }

  private void fill(List<Follow> wanted) {
    var edgesTo =
        wanted.stream()
            .collect(
                Collectors.groupingBy(Follow::followeeId, LinkedHashMap::new, Collectors.toList()));
    var entries =
        ParallelCalls.map(List.copyOf(edgesTo.entrySet()), atOnce, to -> owed(to.getValue()))
            .stream()
            .flatMap(List::stream)
            .toList();
    feeds.deliver(entries);
    secondLook.withdrawUnowed(entries);
  }

  /**
   * The entries of some followers of one author. Thousands may follow at once, who are noted some
   * at a time as well.
   */
  private List<FeedEntry> owed(List<Follow> edges) {
    var recent = recent(edges.getFirst().followeeId(), edges);
    return ParallelCalls.map(edges, atOnce, edge -> owed(edge, recent)).stream()
        .flatMap(Optional::stream)
        .flatMap(List::stream)
        .toList();
  }

  private List<PostRef> recent(String authorId, List<Follow> edges) {
    var first = edges.stream().map(Follow::createdAt).min(Instant::compareTo).orElseThrow();
    return recentPosts.of(authorId, first);
  }

  /** The note comes first: from then on the entries are owed. */
  private Optional<List<FeedEntry>> owed(Follow edge, List<PostRef> recent) {
    if (recent.isEmpty()) {
      return Optional.empty();
    }
    var since = recentPosts.reach(recent, edge);
    return follows
        .noteFed(edge, since)
        .map(noted -> entries(edge, reaching(edge, recent, since, noted), noted));
  }

  /**
   * The note of the first time holds: a later attempt reaches no further back, and no less far,
   * though the author has newer posts by now.
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
