package social.feed.table.ranking;

import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
 * Authors by followers. Whoever began to follow in a month and still does was gained in it; the
 * followers of a month are those gained until its end. So an unfollow takes from a month what the
 * follow had added to it, and both can be counted anew from the edges.
 */
public final class TopAuthors {
  /**
   * So many accounts are read of each partition at most, and of so many accounts the followers of a
   * past month are worked out.
   */
  public static final int MOST = 200;

  /** For so many months back it is kept bounded what a past month costs. */
  public static final int MONTHS_BACK = 12;

  private static final String ABOVE_NOTHING = Keys.scored(1, "");

  private final Table table;
  private final RankingQueries ranks;

  public TopAuthors(Table table) {
    this.table = table;
    this.ranks = new RankingQueries(table);
  }

  /**
   * Accounts by the followers they have now, highest first, eventually consistent. Half a read unit
   * for each 4 KB of each of 8 partitions: some 8 for 100 accounts.
   */
  public List<RankedAccount> byFollowers(int limit) {
    return ranked(Keys.ALL_TIME, limit);
  }

  /** Accounts by the followers they gained in a month; order and cost as for all followers. */
  public List<RankedAccount> byGained(YearMonth month, int limit) {
    return ranked(month.toString(), limit);
  }

  /**
   * Accounts by the followers they had gained until the end of a month that is over. It is worked
   * out for the {@value #MOST} accounts that stand highest now, since no account had more then than
   * it has now. Half a read unit for each of them and month since, and what it costs to find them.
   *
   * @param now the month that it is
   * @param limit the most accounts
   */
  public List<RankedAccount> byFollowersOf(YearMonth month, YearMonth now, int limit) {
    var today = byFollowers(MOST);
    var later = gainedSince(today, months(month, now));
    return today.stream()
        .map(
            standing ->
                new RankedAccount(
                    standing.userId(),
                    standing.followers() - later.getOrDefault(standing.userId(), 0L)))
        .filter(standing -> standing.followers() > 0)
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
    return ranks.highest(index, partitions, ABOVE_NOTHING, Math.min(limit, MOST)).stream()
        .map(place -> new RankedAccount(Keys.scoredUser(place), Keys.score(place)))
        .toList();
  }
}
