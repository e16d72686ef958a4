package social.feed.api.ranking;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.table.ranking.RankedAccount;
import social.feed.table.ranking.TopAuthors;
import social.feed.table.ranking.TrendingTag;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Returns leaderboards. The ranking is read once for all callers while it is fresh; only the
 * accounts that a caller may not see differ between callers.
 */
@Singleton
final class Leaderboards {
  /** Maximum number of cached boards: some years of months, by either order. */
  private static final int CACHED_MAX = 100;

  private final TopAuthors authors;
  private final TrendingTags tags;
  private final Users users;
  private final InstantSource clock;
  private final Cache<Board, List<RankedAccount>> boards;
  private final Cache<Board, List<RankedAccount>> past;
  private final Cache<Boolean, List<TrendingTag>> trending;

  /** The leaderboard of a month. */
  private record Board(YearMonth month, RankedBy by) {}

  Leaderboards(
      TopAuthors authors,
      TrendingTags tags,
      Users users,
      InstantSource clock,
      RankingConfiguration configuration) {
    this.authors = authors;
    this.tags = tags;
    this.users = users;
    this.clock = clock;
    this.boards = cache(configuration.cached());
    this.past = cache(configuration.pastCached());
    this.trending = cache(configuration.cached());
  }

  private static <K, V> Cache<K, V> cache(Duration fresh) {
    return Caffeine.newBuilder().expireAfterWrite(fresh).maximumSize(CACHED_MAX).build();
  }

  /** Returns the current month. */
  YearMonth now() {
    return YearMonth.from(clock.instant().atZone(ZoneOffset.UTC));
  }

  /**
   * Returns the highest authors of a month that the caller may see, in the four steps of {@link
   * social.feed.api.edge.paging.ListRoute}. Half a read unit for each author, plus the ranking when
   * it is not fresh.
   *
   * @throws ProblemException for the followers of a month too long ago
   */
  List<RankedAuthorBody> authors(Viewer viewer, YearMonth month, RankedBy by, int limit) {
    List<RankedAccount> skeleton = skeleton(month, by);
    Set<String> separated =
        viewer.relations().separated(skeleton.stream().map(RankedAccount::userId).toList());
    List<RankedAccount> candidates =
        skeleton.stream().filter(ranked -> !separated.contains(ranked.userId())).toList();
    List<RankedAuthorBody> bodies = new ArrayList<>();
    for (int from = 0; from < candidates.size() && bodies.size() < limit; ) {
      int to = Math.min(candidates.size(), from + limit - bodies.size());
      List<RankedAccount> part = candidates.subList(from, to);
      Map<String, User> hydrated = hydrate(part);
      part.stream()
          .filter(ranked -> hydrated.containsKey(ranked.userId()))
          .map(ranked -> present(ranked, hydrated))
          .forEach(bodies::add);
      from = to;
    }
    return bodies;
  }

  private Map<String, User> hydrate(List<RankedAccount> references) {
    return users.getAll(references.stream().map(RankedAccount::userId).toList());
  }

  private static RankedAuthorBody present(RankedAccount ranked, Map<String, User> accounts) {
    return RankedAuthorBody.of(
        Objects.requireNonNull(accounts.get(ranked.userId())), ranked.followers());
  }

  private List<RankedAccount> skeleton(YearMonth month, RankedBy by) {
    YearMonth now = now();
    if (month.isAfter(now)) {
      return List.of();
    }
    if (by == RankedBy.GAINED) {
      return boards.get(new Board(month, by), _ -> authors.byGained(month, TopAuthors.MOST));
    }
    if (month.equals(now)) {
      return boards.get(new Board(month, by), _ -> authors.byFollowers(TopAuthors.MOST));
    }
    if (month.isBefore(now.minusMonths(TopAuthors.MONTHS_BACK))) {
      throw ProblemException.invalid(
          "period",
          "is more than %d months ago; older ones are ranked with by=gained only"
              .formatted(TopAuthors.MONTHS_BACK));
    }
    return past.get(new Board(month, by), _ -> authors.byFollowersOf(month, now, TopAuthors.MOST));
  }

  /** Returns the trending tags. */
  List<TrendingTagBody> tags(int limit) {
    return trending.get(true, _ -> tags.highest(clock.instant())).stream()
        .limit(limit)
        .map(TrendingTagBody::of)
        .toList();
  }
}
