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
 * How often a tag was used of late: {@code TREND#<half-life>#<tag>#<spread> / META}, in GSI1 by
 * what its uses are worth. Public posts are counted by the hour they were written in. A tag has
 * several such rows, each for some of the stream's shards, and its uses are their sum; so one of
 * them may hold a deletion that belongs to what another counted, and be below zero.
 *
 * <p>A use loses half its worth in a half-life. The place in the index is the logarithm of what the
 * uses would be worth at a time that is the same for all, so it changes only when a use does, and
 * never because time passes.
 *
 * @param halfLifeHours in which a use loses half its worth
 * @param tag normalised
 * @param spread which of the tag's rows
 * @param uses posts by the hour they were written in, such as {@code 2026-11-20T09}; none of hours
 *     that are too old to matter beside the last
 * @param revision how often it was written
 * @param marks per stream shard, the last sequence number that {@code uses} covers
 * @param recounts how often each hour was counted anew; of the hours that matter
 * @param expiresAt epoch second after which nothing in it matters any more
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
  /** Over so many rows are the uses of one tag spread, by the stream's shard. */
  public static final int SPREAD = 4;

  /** After so many half-lives a use is worth 1/256 and is forgotten. */
  private static final int FORGOTTEN_AFTER = 8;

  /** So long a row is there when nothing in it matters, for clocks that differ. */
  private static final Duration MARGIN = Duration.ofDays(1);

  private static final double MILLIONTH = 1_000_000.0;

  /** A tag that nobody has used yet. */
  public static TagTrend empty(long halfLifeHours, String tag, int spread) {
    return new TagTrend(halfLifeHours, tag, spread, Map.of(), 0, Map.of(), Map.of(), 0);
  }

  /** What the uses of a tag are counted under; each stream shard has one of the rows below it. */
  public static Key key(Duration halfLife, String tag) {
    return new Key(Keys.trend(halfLife.toHours(), tag), Keys.META);
  }

  /** The count that a post belongs to: the hour it was written in. */
  public static String hour(Instant createdAt) {
    return Keys.hour(createdAt);
  }

  /** The oldest hour whose uses matter at a time. */
  public static String oldest(Instant now, Duration halfLife) {
    return hour(now.minus(halfLife.multipliedBy(FORGOTTEN_AFTER)));
  }

  /** The least place in the index that matters at a time: one use that is about to be forgotten. */
  public static long leastScore(Instant now, Duration halfLife) {
    double hours = now.getEpochSecond() / (double) Duration.ofHours(1).toSeconds();
    return Math.round((hours / halfLife.toHours() - FORGOTTEN_AFTER) * MILLIONTH);
  }

  /** What a place in the index is worth beside another score. */
  public static double worth(String place, long beside) {
    return StrictMath.pow(2, (Keys.score(place) - beside) / MILLIONTH);
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

  /** Each of a tag's rows has it, whichever of them takes the difference. */
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
    long end = last.plus(halfLife.multipliedBy(FORGOTTEN_AFTER)).plus(MARGIN).getEpochSecond();
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

  /** What the uses since an hour are worth at a time. */
  public double worth(Instant now, String since) {
    return uses.entrySet().stream()
        .filter(use -> use.getKey().compareTo(since) >= 0)
        .mapToDouble(use -> use.getValue() * StrictMath.pow(2, lives(use.getKey(), now)))
        .sum();
  }

  /** Uses since an hour. */
  public long uses(String since) {
    return uses.entrySet().stream()
        .filter(use -> use.getKey().compareTo(since) >= 0)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Half-lives from a time to an hour; below zero for one that is past. */
  private double lives(String hour, Instant from) {
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
    double logarithm = StrictMath.log(worth) / StrictMath.log(2) + lives(last, Instant.EPOCH);
    return Map.of(
        Index.POSTS_BY_AUTHOR,
        new Key(
            Keys.trending(halfLifeHours, tag + spread),
            Keys.scored(Math.round(logarithm * MILLIONTH), Keys.tag(tag))));
  }
}
