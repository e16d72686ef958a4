package social.feed.api.ranking;

import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import social.feed.api.edge.cache.CachedReads;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.ranking.RankedAccount;
import social.feed.table.ranking.TopAuthors;
import social.feed.table.ranking.TrendingTag;
import social.feed.table.ranking.TrendingTags;

/** Ranks authors and tags. A ranking is read once for all callers while it is fresh. */
@Singleton
final class Leaderboards {
  /** Maximum number of cached boards: some years of months, by either order. */
  private static final int CACHED_MAX = 100;

  private final TopAuthors authors;
  private final TrendingTags tags;
  private final InstantSource clock;
  private final CachedReads<Board, List<RankedAccount>> boards;
  private final CachedReads<Board, List<RankedAccount>> past;
  private final CachedReads<Boolean, List<TrendingTag>> trending;

  /** The leaderboard of a month. */
  private record Board(YearMonth month, RankedBy by) {}

  Leaderboards(
      TopAuthors authors,
      TrendingTags tags,
      InstantSource clock,
      RankingConfiguration configuration) {
    this.authors = authors;
    this.tags = tags;
    this.clock = clock;
    this.boards = cache(configuration.cached());
    this.past = cache(configuration.pastCached());
    this.trending = cache(configuration.cached());
  }

  private static <K, V> CachedReads<K, V> cache(Duration fresh) {
    return new CachedReads<>(
        Caffeine.newBuilder().expireAfterWrite(fresh).maximumSize(CACHED_MAX).build());
  }

  /** Returns the current month. */
  YearMonth now() {
    return YearMonth.from(clock.instant().atZone(ZoneOffset.UTC));
  }

  /**
   * Returns the accounts that rank highest in a month, hidden ones included.
   *
   * @throws ProblemException for the followers of a month too long ago
   */
  List<RankedAccount> authors(YearMonth month, RankedBy by) {
    YearMonth now = now();
    if (month.isAfter(now)) {
      return List.of();
    }
    if (by == RankedBy.GAINED) {
      return boards.get(new Board(month, by), () -> authors.byGained(month, TopAuthors.MOST));
    }
    if (month.equals(now)) {
      return boards.get(new Board(month, by), () -> authors.byFollowers(TopAuthors.MOST));
    }
    if (month.isBefore(now.minusMonths(TopAuthors.MONTHS_BACK))) {
      throw ProblemException.invalid(
          "period",
          "is more than %d months ago; older ones are ranked with by=gained only"
              .formatted(TopAuthors.MONTHS_BACK));
    }
    return past.get(new Board(month, by), () -> authors.byFollowersOf(month, now, TopAuthors.MOST));
  }

  /** Returns the trending tags, highest first. */
  List<TrendingTag> tags() {
    return trending.get(true, () -> tags.highest(clock.instant()));
  }
}
