package social.feed.table.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import social.feed.table.kernel.declaration.Index;

/**
 * The recent uses of a tag: {@code TREND#<half-life>#<tag>#<spread> / META}, in GSI1 by the weight
 * of its uses. Public posts are counted by the hour in which they were written. A tag has several
 * such rows, each for some of the stream's shards, and its uses are their sum. One of them may be
 * below zero, because it can count the deletion of a post that another row counted.
 *
 * <p>A use loses half its weight in a half-life. The index sorts by the logarithm of the weight
 * that the uses would have at a fixed time, the same for all tags. So the sort key changes only
 * when a use is added or removed, and never because time passes.
 *
 * @param halfLifeHours hours in which a use loses half its weight
 * @param tag normalized
 * @param spread number of this row among the tag's rows
 * @param uses posts by the hour in which they were written, such as {@code 2026-11-20T09}; without
 *     hours that are too old to matter compared with the last
 * @param revision how often the row was written
 * @param marks per stream shard, the last sequence number that {@code uses} covers
 * @param recounts how often each hour was recounted; only hours that matter
 * @param expiresAt epoch second after which no use in the row matters
 */
@StoredAs(RowKind.TAG_TREND)
public record TagTrend(
    long halfLifeHours,
    String tag,
    int spread,
    Map<String, Long> uses,
    long revision,
    Map<String, String> marks,
    Map<String, Long> recounts,
    long expiresAt)
    implements Row, Ranked {
  /** Number of rows over which the uses of one tag are spread, by the stream's shard. */
  public static final int SPREAD = 4;

  /** After this many half-lives a use has 1/256 of its weight and is dropped. */
  private static final int DROPPED_AFTER = 8;

  /** How long a row stays after its last use is dropped, because clocks differ. */
  private static final Duration MARGIN = Duration.ofDays(1);

  private static final double MILLIONTH = 1_000_000.0;

  /** Returns the row of a tag without uses. */
  public static TagTrend empty(long halfLifeHours, String tag, int spread) {
    return new TagTrend(halfLifeHours, tag, spread, Map.of(), 0, Map.of(), Map.of(), 0);
  }

  /**
   * Returns the key under which a tag's uses are counted; each stream shard uses one of the rows
   * below it.
   */
  public static Key key(Duration halfLife, String tag) {
    return new Key(Keys.trend(halfLife.toHours(), tag), Keys.META);
  }

  /** Returns the count of a post: the hour in which it was written. */
  public static String hour(Instant createdAt) {
    return Keys.hour(createdAt);
  }

  /** Returns the oldest hour whose uses matter at a time. */
  public static String oldest(Instant now, Duration halfLife) {
    return hour(now.minus(halfLife.multipliedBy(DROPPED_AFTER)));
  }

  /**
   * Returns the least score that matters at a time: that of one use that is about to be dropped.
   */
  public static long leastScore(Instant now, Duration halfLife) {
    double hours = now.getEpochSecond() / (double) Duration.ofHours(1).toSeconds();
    return Math.round((hours / halfLife.toHours() - DROPPED_AFTER) * MILLIONTH);
  }

  /** Returns the weight of a sort key relative to another score. */
  public static double worth(String place, long reference) {
    return StrictMath.pow(2, (Keys.score(place) - reference) / MILLIONTH);
  }

  static Optional<TagTrend> at(Key key, String shardId) {
    if (!Keys.isTrend(key.partition())) {
      return Optional.empty();
    }
    var parts = key.partition().split("#", 3);
    return Optional.of(empty(Long.parseLong(parts[1]), parts[2], KeySharding.of(shardId, SPREAD)));
  }

  @Override
  public TagTrend plus(Map<String, Long> changes, Map<String, String> covered) {
    return with(changes, covered, new TreeMap<>(recounts));
  }

  /** All rows of a tag have the hour, so any of them can take the difference. */
  @Override
  public TagTrend recounted(String hour, long difference) {
    var times = new TreeMap<>(recounts);
    times.merge(hour, 1L, Long::sum);
    return with(Map.of(hour, difference), marks, times);
  }

  private TagTrend with(
      Map<String, Long> changes, Map<String, String> covered, TreeMap<String, Long> times) {
    var all = new TreeMap<>(uses);
    changes.forEach((hour, change) -> all.merge(hour, change, Long::sum));
    var last = Keys.startOf(all.isEmpty() ? hour(Instant.EPOCH) : all.lastKey());
    all.values().removeIf(count -> count == 0);
    var halfLife = Duration.ofHours(halfLifeHours);
    all.headMap(oldest(last, halfLife)).clear();
    times.headMap(oldest(last, halfLife)).clear();
    long end = last.plus(halfLife.multipliedBy(DROPPED_AFTER)).plus(MARGIN).getEpochSecond();
    return new TagTrend(
        halfLifeHours,
        tag,
        spread,
        Map.copyOf(all),
        revision + 1,
        Map.copyOf(covered),
        Map.copyOf(times),
        Math.max(expiresAt, end));
  }

  /** Returns the weight at a time of the uses since an hour. */
  public double worth(Instant now, String since) {
    return uses.entrySet().stream()
        .filter(use -> use.getKey().compareTo(since) >= 0)
        .mapToDouble(use -> use.getValue() * StrictMath.pow(2, halfLives(use.getKey(), now)))
        .sum();
  }

  /** Returns the number of uses since an hour. */
  public long uses(String since) {
    return uses.entrySet().stream()
        .filter(use -> use.getKey().compareTo(since) >= 0)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns the half-lives from a time to an hour, negative when the hour is in the past. */
  private double halfLives(String hour, Instant from) {
    return Duration.between(from, Keys.startOf(hour)).toSeconds()
        / (double) Duration.ofHours(halfLifeHours).toSeconds();
  }

  @Override
  public Row row() {
    return this;
  }

  @Override
  public Key key() {
    return new Key(Keys.trend(halfLifeHours, tag) + "#" + spread, Keys.META);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // Verification counts the posts instead.
    return List.of();
  }

  @Override
  public Optional<String> indexedNumber() {
    return Optional.of(REVISION);
  }

  @Override
  public Map<Index, Key> indexKeys() {
    if (uses.isEmpty()) {
      return Map.of();
    }
    var last = new TreeMap<>(uses).lastKey();
    double worth = worth(Keys.startOf(last), "");
    if (worth <= 0) {
      return Map.of();
    }
    double logarithm = StrictMath.log(worth) / StrictMath.log(2) + halfLives(last, Instant.EPOCH);
    return Map.of(
        Index.POSTS_BY_AUTHOR,
        new Key(
            Keys.trending(halfLifeHours, tag + spread),
            Keys.scored(Math.round(logarithm * MILLIONTH), Keys.tag(tag))));
  }
}
