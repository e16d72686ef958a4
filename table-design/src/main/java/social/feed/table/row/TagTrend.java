package social.feed.table.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;

/**
 * The recent uses of a tag: {@code TREND#<half-life>#<tag> / META}, in GSI1 by the weight of its
 * uses. Public posts are counted by the hour in which they were written. The records of the {@link
 * TagUses} of the tag drive it.
 *
 * <p>A use loses half its weight in a half-life. The index sorts by the logarithm of the weight
 * that the uses would have at a fixed time, the same for all tags. So the sort key changes only
 * when a use is added or removed, and never because time passes. It also holds the last hour and
 * the number of uses, so the index alone answers.
 *
 * @param halfLifeHours hours in which a use loses half its weight
 * @param tag normalized
 * @param spread number of the row among four, in rows from before {@link TagUses}; such a row has
 *     the key {@code TREND#<half-life>#<tag>#<spread> / META}, is in no ranking, and expires
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
    @Nullable Integer spread,
    Map<String, Long> uses,
    long revision,
    Map<String, String> marks,
    Map<String, Long> recounts,
    long expiresAt)
    implements Row, Ranked.Recountable {
  /** After this many half-lives a use has 1/256 of its weight and is dropped. */
  private static final int DROPPED_AFTER = 8;

  /** How long a row stays after its last use is dropped, because clocks differ. */
  private static final Duration MARGIN = Duration.ofDays(1);

  /** Steps of the sort key for each doubling of the weight. */
  private static final double STEPS = 100_000_000.0;

  /** Parts of a sort key: place, last hour, uses, and the two of the tag. */
  private static final int PARTS = 5;

  /** Returns the row of a tag without uses. */
  public static TagTrend empty(long halfLifeHours, String tag) {
    return new TagTrend(halfLifeHours, tag, null, Map.of(), 0, Map.of(), Map.of(), 0);
  }

  /** Returns the key of a tag's row. */
  public static Key key(Duration halfLife, String tag) {
    return empty(halfLife.toHours(), tag).key();
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
   * Returns the oldest hour that a list can show at a time, with a margin since clocks differ. A
   * tag is listed for eight half-lives after its last use, with the uses of the eight before that.
   */
  static String oldestShown(Instant now, Duration halfLife) {
    return hour(now.minus(shown(halfLife)));
  }

  private static Duration shown(Duration halfLife) {
    return halfLife.multipliedBy(2L * DROPPED_AFTER).plus(MARGIN);
  }

  /** Returns the epoch second after which a row can go whose last use was in an hour. */
  private static long expiry(String hour, Duration halfLife) {
    return Keys.startOf(hour)
        .plus(halfLife.multipliedBy(DROPPED_AFTER))
        .plus(MARGIN)
        .getEpochSecond();
  }

  /**
   * Returns the epoch second after which the uses of an hour that a shard brought can go. They are
   * counted until no list can show them. A row that went before would lose its checkpoint, and a
   * batch that comes again would count twice.
   */
  static long expiryOfUses(String hour, Duration halfLife) {
    return Keys.startOf(hour).plus(shown(halfLife)).plus(MARGIN).getEpochSecond();
  }

  /**
   * Returns the least score that matters at a time: that of one use that is about to be dropped.
   */
  public static long leastScore(Instant now, Duration halfLife) {
    return Math.round((halfLives(now, halfLife.toHours()) - DROPPED_AFTER) * STEPS);
  }

  /**
   * A tag in the index, as its sort key says.
   *
   * @param tag normalized
   * @param lastHour the hour of its last use
   * @param uses posts of the eight half-lives before its last use
   * @param score place among all tags
   */
  public record Place(String tag, String lastHour, long uses, long score) {
    public static Place of(String sortKey) {
      var parts = sortKey.split("#", PARTS);
      return new Place(
          parts[PARTS - 1], parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[0]));
    }

    /** Returns the weight of the uses at a time. */
    public double worth(Instant now, Duration halfLife) {
      return StrictMath.pow(2, score / STEPS - halfLives(now, halfLife.toHours()));
    }
  }

  static Optional<TagTrend> at(Key key) {
    if (!Keys.isTrend(key.partition()) || !key.sort().equals(Keys.META)) {
      return Optional.empty();
    }
    var parts = key.partition().split("#", 3);
    return Optional.of(empty(Long.parseLong(parts[1]), parts[2]));
  }

  @Override
  public TagTrend plus(Map<String, Long> changes, Map<String, String> covered) {
    return with(changes, covered, new TreeMap<>(recounts));
  }

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
    var lastHour = all.isEmpty() ? hour(Instant.EPOCH) : all.lastKey();
    all.values().removeIf(count -> count == 0);
    var halfLife = Duration.ofHours(halfLifeHours);
    var oldest = oldest(Keys.startOf(lastHour), halfLife);
    all.headMap(oldest).clear();
    times.headMap(oldest).clear();
    return new TagTrend(
        halfLifeHours,
        tag,
        spread,
        Map.copyOf(all),
        revision + 1,
        Map.copyOf(covered),
        Map.copyOf(times),
        Math.max(expiresAt, expiry(lastHour, halfLife)));
  }

  /** Returns the weight at a time of all uses. */
  double worth(Instant now) {
    return uses.entrySet().stream()
        .mapToDouble(
            use ->
                use.getValue()
                    * StrictMath.pow(
                        2,
                        halfLives(Keys.startOf(use.getKey()), halfLifeHours)
                            - halfLives(now, halfLifeHours)))
        .sum();
  }

  /** Returns the half-lives from the epoch to a time. */
  private static double halfLives(Instant time, long halfLifeHours) {
    return time.getEpochSecond() / (double) Duration.ofHours(halfLifeHours).toSeconds();
  }

  @Override
  public Row row() {
    return this;
  }

  @Override
  public Key key() {
    var partition = Keys.trend(halfLifeHours, tag);
    return new Key(spread == null ? partition : partition + "#" + spread, Keys.META);
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
    if (spread != null || uses.isEmpty()) {
      return Map.of();
    }
    var lastHour = new TreeMap<>(uses).lastKey();
    var last = Keys.startOf(lastHour);
    long posts = uses.values().stream().mapToLong(Long::longValue).sum();
    double worth = worth(last);
    if (worth <= 0 || posts <= 0) {
      return Map.of();
    }
    double logarithm = StrictMath.log(worth) / StrictMath.log(2) + halfLives(last, halfLifeHours);
    return Map.of(
        Index.POSTS_BY_AUTHOR,
        new Key(
            Keys.trending(halfLifeHours, tag),
            Keys.scored(
                Math.round(logarithm * STEPS), lastHour + "#" + posts + "#" + Keys.tag(tag))));
  }
}
