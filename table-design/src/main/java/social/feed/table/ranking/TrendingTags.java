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
 * Tags by how much they are used of late: each public post counts one from the beginning of the
 * hour it was written in, and half as much after each half-life.
 */
public final class TrendingTags {
  /**
   * In which a use loses half its worth, unless configured otherwise. What was on everybody's lips
   * in the morning is down to a quarter in the evening; shorter, and a quiet night would empty the
   * list.
   */
  public static final Duration HALF_LIFE = Duration.ofHours(6);

  /** A week; beyond eight of them a list would be of the season, not of the day. */
  private static final int MAX_HOURS = 168;

  /** The most tags of an answer. */
  private static final int MOST = AccessPattern.FEED_015.maxPage();

  /** So many places are read: a tag has up to {@link TagTrend#SPREAD} of them. */
  private static final int PLACES = MOST * TagTrend.SPREAD;

  /** So many tags are weighed exactly: those whose places were not all read may yet win some. */
  private static final int CANDIDATES = MOST + 10;

  private final Table table;
  private final RankingQueries ranks;
  private final Duration halfLife;

  /**
   * @param halfLife in whole hours, as the stream counts by it
   */
  public TrendingTags(Table table, Duration halfLife) {
    this.table = table;
    this.ranks = new RankingQueries(table);
    this.halfLife = requireHours(halfLife);
  }

  /**
   * A half-life that tags can be counted by.
   *
   * @throws IllegalArgumentException unless it is a number of hours, 1 to 168
   */
  public static Duration requireHours(Duration halfLife) {
    boolean isWhole = halfLife.equals(Duration.ofHours(halfLife.toHours()));
    if (!isWhole || halfLife.toHours() < 1 || halfLife.toHours() > MAX_HOURS) {
      throw new IllegalArgumentException("A half-life is 1 to 168 whole hours, not " + halfLife);
    }
    return halfLife;
  }

  /**
   * The highest tags, highest first, eventually consistent. Half a read unit for each 4 KB of each
   * of 8 partitions of the order, and two units for each tag found there: at most some 160.
   *
   * @param now the time that the uses are weighed at
   */
  @Serves(AccessPattern.FEED_015)
  public List<TrendingTag> highest(Instant now) {
    var partitions =
        IntStream.range(0, Keys.BUCKETS)
            .mapToObj(bucket -> Keys.trendingBucket(halfLife.toHours(), bucket))
            .toList();
    var index = AccessPattern.FEED_015.index().orElseThrow();
    long least = TagTrend.leastScore(now, halfLife);
    var places = ranks.highest(index, partitions, Keys.scored(least, ""), PLACES);
    return weighed(candidates(places, least), now).stream()
        .sorted(
            Comparator.comparingDouble(TrendingTag::score)
                .reversed()
                .thenComparing(TrendingTag::tag))
        .limit(MOST)
        .toList();
  }

  /** The tags whose places are together worth the most. */
  private static List<String> candidates(List<String> places, long least) {
    var worth = new HashMap<String, Double>();
    places.forEach(
        place -> worth.merge(Keys.scoredTag(place), TagTrend.worth(place, least), Double::sum));
    return worth.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(CANDIDATES)
        .map(Map.Entry::getKey)
        .toList();
  }

  private List<TrendingTag> weighed(List<String> tags, Instant now) {
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
