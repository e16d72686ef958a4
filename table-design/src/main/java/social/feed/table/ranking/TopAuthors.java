package social.feed.table.ranking;

import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.store.RankingQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.TopAuthor;

/**
 * Rankings of authors by followers. A follower is gained in the month in which the edge starts, as
 * long as the edge exists. The followers of a past month are those gained until its end. An
 * unfollow therefore subtracts from the month to which the follow added, and both can be recounted
 * from the edges.
 */
public final class TopAuthors {
  /**
   * The maximum number of accounts that are read from each partition, and of accounts whose
   * followers in a past month are computed.
   */
  public static final int MOST = 200;

  /** The greatest age of a past month, in months, at which its cost stays bounded. */
  public static final int MONTHS_BACK = 12;

  private static final String ABOVE_NOTHING = Keys.scored(1, "");

  private final Table table;
  private final RankingQueries rankings;

  public TopAuthors(Table table) {
    this.table = table;
    this.rankings = new RankingQueries(table);
  }

  /**
   * Returns accounts by their current followers, highest first. Eventually consistent. Costs half a
   * read unit for each 4 KB of at most 10 queries, some 8 for 100 accounts.
   */
  public List<RankedAccount> byFollowers(int limit) {
    return ranked(Keys.ALL_TIME, limit);
  }

  /**
   * Returns accounts by the followers gained in a month, in the same order and at the same cost as
   * for all followers.
   */
  public List<RankedAccount> byGained(YearMonth month, int limit) {
    return ranked(month.toString(), limit);
  }

  /**
   * Returns accounts by the followers that they had gained until the end of a past month. The
   * result covers the {@value #MOST} accounts that rank highest now, because no account had more
   * followers then than it has now. Costs half a read unit for each of those accounts and month
   * since, and the cost of finding them.
   *
   * @param now the current month
   * @param limit the maximum number of accounts
   */
  public List<RankedAccount> byFollowersOf(YearMonth month, YearMonth now, int limit) {
    var current = byFollowers(MOST);
    var gained = gainedSince(current, months(month, now));
    return current.stream()
        .map(
            account ->
                new RankedAccount(
                    account.userId(),
                    account.followers() - gained.getOrDefault(account.userId(), 0L)))
        .filter(account -> account.followers() > 0)
        .sorted(
            Comparator.comparingLong(RankedAccount::followers)
                .reversed()
                .thenComparing(RankedAccount::userId, Comparator.reverseOrder()))
        .limit(limit)
        .toList();
  }

  private static List<String> months(YearMonth after, YearMonth until) {
    return Stream.iterate(after.plusMonths(1), m -> !m.isAfter(until), m -> m.plusMonths(1))
        .map(YearMonth::toString)
        .toList();
  }

  private Map<String, Long> gainedSince(List<RankedAccount> accounts, List<String> months) {
    var keys = new ArrayList<Key>();
    for (var account : accounts) {
      months.forEach(month -> keys.add(TopAuthor.empty(month, account.userId()).key()));
    }
    var gained = new HashMap<String, Long>();
    for (var row : table.getAll(keys, false)) {
      if (row instanceof TopAuthor author) {
        gained.merge(author.userId(), author.gained(), Long::sum);
      }
    }
    return gained;
  }

  @Serves(AccessPattern.FEED_010)
  private List<RankedAccount> ranked(String month, int limit) {
    var partitions =
        IntStream.range(0, Keys.BUCKETS).mapToObj(n -> Keys.topBucket(month, n)).toList();
    var index = AccessPattern.FEED_010.index().orElseThrow();
    // An account whose rank changes between two reads of its partition can be in both.
    var accounts = new LinkedHashMap<String, RankedAccount>();
    rankings.highest(index, partitions, ABOVE_NOTHING, Math.min(limit, MOST), _ -> true).stream()
        .map(entry -> new RankedAccount(Keys.scoredUser(entry), Keys.score(entry)))
        .forEach(account -> accounts.putIfAbsent(account.userId(), account));
    return List.copyOf(accounts.values());
  }
}
