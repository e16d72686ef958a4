package social.feed.table.ranking;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.store.RankingQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.TagTrend;

/**
 * The ranking of tags by recent use. Each public post counts one at the start of the hour in which
 * it was written, and half as much after each half-life.
 */
public final class TrendingTags {
  /**
   * The default time in which a use loses half its weight. A tag that is popular in the morning has
   * a quarter of its score in the evening. With a shorter time, a quiet night would empty the list.
   */
  public static final Duration HALF_LIFE = Duration.ofHours(6);

  /**
   * The maximum half-life, one week; the list covers eight half-lives, and would show the season
   * instead of the day beyond that.
   */
  private static final int MAX_HOURS = 168;

  /** The maximum number of tags in the result. */
  private static final int MOST = AccessPattern.FEED_015.maxPage();

  /**
   * The number of ranking entries that are read; a tag has up to {@link TagTrend#SPREAD} of them.
   */
  private static final int MAX_ENTRIES = MOST * TagTrend.SPREAD;

  /**
   * The number of tags whose score is computed exactly. A tag can rise in the order when entries
   * that were not read are added.
   */
  private static final int CANDIDATES = MOST + 10;

  private final Table table;
  private final RankingQueries rankings;
  private final Duration halfLife;

  /**
   * @param halfLife in whole hours, because the stream counts by hour
   */
  public TrendingTags(Table table, Duration halfLife) {
    this.table = table;
    this.rankings = new RankingQueries(table);
    this.halfLife = requireHours(halfLife);
  }

  /**
   * Returns the half-life if it is valid.
   *
   * @throws IllegalArgumentException unless it is a whole number of hours from 1 to 168
   */
  public static Duration requireHours(Duration halfLife) {
    boolean isWhole = halfLife.equals(Duration.ofHours(halfLife.toHours()));
    if (!isWhole || halfLife.toHours() < 1 || halfLife.toHours() > MAX_HOURS) {
      throw new IllegalArgumentException("A half-life is 1 to 168 whole hours, not " + halfLife);
    }
    return halfLife;
  }

  /**
   * Returns the highest tags, highest first. Eventually consistent. Costs half a read unit for each
   * 4 KB of each of 8 index partitions, and two units for each tag found there, at most about 160.
   *
   * @param now the time at which uses are weighted
   */
  @Serves(AccessPattern.FEED_015)
  public List<TrendingTag> highest(Instant now) {
    var partitions =
        IntStream.range(0, Keys.BUCKETS)
            .mapToObj(bucket -> Keys.trendingBucket(halfLife.toHours(), bucket))
            .toList();
    var index = AccessPattern.FEED_015.index().orElseThrow();
    long least = TagTrend.leastScore(now, halfLife);
    var entries = rankings.highest(index, partitions, Keys.scored(least, ""), MAX_ENTRIES);
    return withExactScores(candidates(entries, least), now).stream()
        .sorted(
            Comparator.comparingDouble(TrendingTag::score)
                .reversed()
                .thenComparing(TrendingTag::tag))
        .limit(MOST)
        .toList();
  }

  /** Returns the tags whose entries have the highest total. */
  private static List<String> candidates(List<String> entries, long least) {
    var worths = new HashMap<String, Double>();
    entries.forEach(
        entry -> worths.merge(Keys.scoredTag(entry), TagTrend.worth(entry, least), Double::sum));
    return worths.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(CANDIDATES)
        .map(Map.Entry::getKey)
        .toList();
  }

  private List<TrendingTag> withExactScores(List<String> tags, Instant now) {
    var keys = new ArrayList<Key>();
    for (var tag : tags) {
      IntStream.range(0, TagTrend.SPREAD)
          .forEach(n -> keys.add(TagTrend.empty(halfLife.toHours(), tag, n).key()));
    }
    var since = TagTrend.oldest(now, halfLife);
    Map<String, TrendingTag> sums = new HashMap<>();
    for (var row : table.getAll(keys, false)) {
      if (row instanceof TagTrend trend) {
        sums.merge(
            trend.tag(),
            new TrendingTag(trend.tag(), trend.worth(now, since), trend.uses(since)),
            TrendingTags::plus);
      }
    }
    return sums.values().stream().filter(tag -> tag.posts() > 0).toList();
  }

  private static TrendingTag plus(TrendingTag one, TrendingTag other) {
    return new TrendingTag(one.tag(), one.score() + other.score(), one.posts() + other.posts());
  }
}
