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
 * Leaderboards, read once for all callers while they are fresh. What differs between callers is
 * only whom they do not see.
 */
@Singleton
final class Leaderboards {
  /** Boards that are kept at a time: some years of months, by either number. */
  private static final int KEPT = 100;

  private final TopAuthors authors;
  private final TrendingTags tags;
  private final Users users;
  private final InstantSource clock;
  private final Cache<Board, List<RankedAccount>> boards;
  private final Cache<Board, List<RankedAccount>> past;
  private final Cache<Boolean, List<TrendingTag>> trending;

  /** A month's list. */
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
    return Caffeine.newBuilder().expireAfterWrite(fresh).maximumSize(KEPT).build();
  }

  /** The month that it is. */
  YearMonth now() {
    return YearMonth.from(clock.instant().atZone(ZoneOffset.UTC));
  }

  /**
   * The highest authors of a month whom the caller sees. Half a read unit for each, beside the list
   * itself when it is not fresh.
   *
   * @throws ProblemException for the followers of a month too long ago
   */
  List<RankedAuthorBody> authors(Viewer viewer, YearMonth month, RankedBy by, int limit) {
    List<RankedAccount> all = standings(month, by);
    Set<String> separated =
        viewer.boundary().separated(all.stream().map(RankedAccount::userId).toList());
    List<RankedAccount> visible =
        all.stream().filter(standing -> !separated.contains(standing.userId())).toList();
    List<RankedAuthorBody> shown = new ArrayList<>();
    for (int from = 0; from < visible.size() && shown.size() < limit; ) {
      int to = Math.min(visible.size(), from + limit - shown.size());
      shown.addAll(dressed(visible.subList(from, to)));
      from = to;
    }
    return shown;
  }

  /** Without those whose account is gone. */
  private List<RankedAuthorBody> dressed(List<RankedAccount> standings) {
    Map<String, User> accounts =
        users.getAll(standings.stream().map(RankedAccount::userId).toList());
    List<RankedAuthorBody> dressed = new ArrayList<>();
    for (RankedAccount standing : standings) {
      User account = accounts.get(standing.userId());
      if (account != null) {
        dressed.add(RankedAuthorBody.of(account, standing.followers()));
      }
    }
    return dressed;
  }

  private List<RankedAccount> standings(YearMonth month, RankedBy by) {
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

  /** The tags that trend. */
  List<TrendingTagBody> tags(int limit) {
    return trending.get(true, _ -> tags.highest(clock.instant())).stream()
        .limit(limit)
        .map(TrendingTagBody::of)
        .toList();
  }
}
