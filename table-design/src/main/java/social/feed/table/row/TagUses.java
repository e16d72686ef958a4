package social.feed.table.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The uses of a tag in an hour that one stream shard brought: {@code TREND#<half-life>#<tag> /
 * <hour>#SHARD#<shard>}. The posts of a tag come from all shards. Only the batches of one shard
 * write the row, one after the other, so they never conflict and the row holds one checkpoint. All
 * rows of a tag are in one partition, whose records add their differences to {@link TagTrend}. The
 * row may be below zero: the post came from one shard, and its deletion from the shard that
 * followed.
 *
 * @param halfLifeHours hours in which a use loses half its weight
 * @param tag normalized
 * @param hour in which the posts were written, such as {@code 2026-11-20T09}
 * @param shard the stream shard
 * @param uses posts, less those deleted or no longer public
 * @param revision how often the row was written
 * @param marks the last sequence number of the shard that {@code uses} covers
 * @param expiresAt epoch second after which the hour no longer matters, a day after its last count
 */
@StoredAs(RowKind.TAG_USES)
public record TagUses(
    long halfLifeHours,
    String tag,
    String hour,
    String shard,
    long uses,
    long revision,
    Map<String, String> marks,
    long expiresAt)
    implements Row, Ranked {
  public static final String USES = "uses";

  /** Returns the row of a shard without uses. */
  public static TagUses empty(long halfLifeHours, String tag, String hour, String shard) {
    return new TagUses(
        halfLifeHours,
        tag,
        hour,
        shard,
        0,
        0,
        Map.of(),
        TagTrend.expiryOfUses(hour, Duration.ofHours(halfLifeHours)));
  }

  /** Returns the key under which a post is counted; each stream shard has a row below it. */
  public static Key key(Duration halfLife, String tag, Instant createdAt) {
    return new Key(Keys.trend(halfLife.toHours(), tag), Keys.hour(createdAt));
  }

  static Optional<TagUses> at(Key counted, String shardId) {
    return Keys.isTrend(counted.partition())
            && !counted.sort().equals(Keys.META)
            && !Fence.isAt(counted)
        ? TagTrend.at(new Key(counted.partition(), Keys.META))
            .map(tag -> empty(tag.halfLifeHours(), tag.tag(), counted.sort(), shardId))
        : Optional.empty();
  }

  /** Returns whether a key is that of uses which no list can show at a time or later. */
  public static boolean isPast(Key counted, Instant now) {
    return at(counted, "").filter(uses -> uses.isPast(now)).isPresent();
  }

  private boolean isPast(Instant now) {
    return hour.compareTo(TagTrend.oldestShown(now, Duration.ofHours(halfLifeHours))) < 0;
  }

  /** Returns the row of the tag to which the uses are added, without uses. */
  public TagTrend trend() {
    return TagTrend.empty(halfLifeHours, tag);
  }

  @Override
  public TagUses plus(Map<String, Long> changes, Map<String, String> covered) {
    long sum = uses + changes.values().stream().mapToLong(Long::longValue).sum();
    return new TagUses(
        halfLifeHours,
        tag,
        hour,
        shard,
        sum,
        revision + 1,
        Map.copyOf(covered),
        // That of an earlier version is earlier.
        Math.max(expiresAt, TagTrend.expiryOfUses(hour, Duration.ofHours(halfLifeHours))));
  }

  @Override
  public Row row() {
    return this;
  }

  @Override
  public Key key() {
    return new Key(Keys.trend(halfLifeHours, tag), Keys.uses(hour, shard));
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    return List.of();
  }
}
