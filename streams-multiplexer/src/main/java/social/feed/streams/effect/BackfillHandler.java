package social.feed.streams.effect;

import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import social.feed.streams.plan.Effect.Backfill;
import social.feed.table.graph.Follows;
import social.feed.table.home.HomeFeeds;
import social.feed.table.row.Delivery;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.PostRef;
import social.feed.table.user.Users;

/**
 * Puts an author's newest posts into a new follower's feed, at their own time, with all that were
 * written since the follow, and notes on the edge how far back that is. One read unit an edge and
 * one an author, and where there are posts half of one more, two read and two write units a post,
 * and one write unit for the note.
 *
 * <p>An edge that has its note was begun before, by an attempt that may have been cut off before it
 * looked again. That is noted as well, for one more write unit, and {@link LookAgainHandler} looks
 * at all that the feed then holds of the author.
 */
final class BackfillHandler implements EffectHandler<Backfill> {
  private final Users users;
  private final Follows follows;
  private final HomeFeeds feeds;
  private final SecondLook secondLook;
  private final RecentPosts recentPosts;
  private final Clock clock;

  BackfillHandler(
      Users users,
      RecentPosts recentPosts,
      Follows follows,
      HomeFeeds feeds,
      SecondLook secondLook,
      Clock clock) {
    this.users = users;
    this.follows = follows;
    this.feeds = feeds;
    this.secondLook = secondLook;
    this.recentPosts = recentPosts;
    this.clock = clock;
  }

  @Override
  public void apply(List<Backfill> effects) {
    var edgesTo =
        effects.stream()
            .map(Backfill::edge)
            .collect(
                Collectors.groupingBy(Follow::followeeId, LinkedHashMap::new, Collectors.toList()));
    var begun = follows.begun(effects.stream().map(Backfill::edge).toList());
    Map<Follow, List<FeedEntry>> owed = new LinkedHashMap<>();
    // A post that is not counted yet is yet to be fanned out, which then finds the edge.
    edgesTo.keySet().removeAll(users.withoutPosts(edgesTo.keySet()));
    edgesTo.forEach(
        (author, edges) -> {
          var recent = recent(author, edges);
          edges.forEach(edge -> owed(edge, recent).ifPresent(entries -> owed.put(edge, entries)));
        });
    var entries = owed.values().stream().flatMap(List::stream).toList();
    feeds.deliver(entries);
    secondLook.withdrawUnowed(entries);
    begun.forEach(edge -> follows.noteRetried(edge, clock.instant()));
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
        .filter(ref -> ref.delivery() != Delivery.PULL)
        .filter(ref -> !ref.createdAt().isBefore(noted))
        .filter(ref -> !ref.createdAt().isBefore(horizon))
        .map(ref -> FeedEntry.of(ref, edge.followerId()))
        .toList();
  }
}
