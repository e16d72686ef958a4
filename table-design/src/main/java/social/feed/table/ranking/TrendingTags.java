package social.feed.table.ranking;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.IntStream;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.store.RankingQueries;
import social.feed.table.kernel.store.Table;
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

  private static final double THOUSANDTH = 1_000.0;

  private final RankingQueries rankings;
  private final Duration halfLife;

  /**
   * @param halfLife in whole hours, because the stream counts by hour
   */
  public TrendingTags(Table table, Duration halfLife) {
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
   * Returns the highest tags, highest first. Eventually consistent. Reads eight index partitions,
   * 17 entries each, and at most two more pages: at most five read units for tags of up to 79
   * bytes, such as all in ASCII, and 15 for any. A tag without a use in the last eight half-lives
   * may still rank high because of many earlier ones, and is left out. Where there are such tags,
   * at most 20 more pages are read, of a third of the list each.
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
    var least = Keys.scored(TagTrend.leastScore(now, halfLife), "");
    var oldest = TagTrend.oldest(now, halfLife);
    // A tag whose rank changes between two reads of its partition can be in both.
    var places = new LinkedHashMap<String, TagTrend.Place>();
    rankings
        .highest(index, partitions, least, MOST, key -> isRecent(TagTrend.Place.of(key), oldest))
        .stream()
        .map(TagTrend.Place::of)
        .forEach(place -> places.putIfAbsent(place.tag(), place));
    return places.values().stream()
        .map(place -> new TrendingTag(place.tag(), score(place, now), place.uses()))
        .sorted(
            Comparator.comparingDouble(TrendingTag::score)
                .reversed()
                .thenComparing(TrendingTag::tag))
        .toList();
  }

  private static boolean isRecent(TagTrend.Place place, String oldest) {
    return place.lastHour().compareTo(oldest) >= 0;
  }

  private double score(TagTrend.Place place, Instant now) {
    return Math.round(place.worth(now, halfLife) * THOUSANDTH) / THOUSANDTH;
  }
}
