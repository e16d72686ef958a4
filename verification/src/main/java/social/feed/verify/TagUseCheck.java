package social.feed.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.counter.Fences.Place;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.TableScanner.Item;
import social.feed.table.kernel.store.TableScanner.Stored;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.Visibility;

/**
 * Checks that the uses of a tag in an hour are its public posts of that hour. Hours that no longer
 * count are skipped. Counts through the tag rows, which an earlier check compared with the posts.
 * Reads the row of each tag, and one query for each tag and hour; two more for a drift. For each
 * post it checks that its use is counted. Rows of another half-life are skipped, and rows from
 * before {@link TagUses}. It is no {@link DerivedRows} because many posts and rows share one
 * expectation.
 *
 * @param halfLife the half-life that the platform counts by
 */
record TagUseCheck(TableScanner scanner, Duration halfLife, Clock clock) implements RowCheck {
  private static final Duration MARGIN = Duration.ofHours(1);

  /** The number of posts whose partitions have a fence before a repair. */
  private static final int SAMPLE = 5;

  /** How often a repair is tried while other hours of the tag are counted. */
  private static final int ATTEMPTS = 10;

  /** Stands for the revision of a row that cannot be read. It may change without being seen. */
  private static final long UNREADABLE = -1;

  private static final Lock ONE_AT_A_TIME = new ReentrantLock();

  @Override
  public String name() {
    return "tag uses";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof TagTrend trend
            && trend.halfLifeHours() == halfLife.toHours()
            && trend.spread() == null
        || row instanceof Post post
            && post.visibility() == Visibility.PUBLIC
            && !post.tags().isEmpty();
  }

  /** A tag in an hour. */
  private record Use(String tag, String hour) {}

  @Override
  public List<Drift> inspect(List<Row> rows) {
    // An hour that expires during the check is not missing.
    var since = TagTrend.oldest(clock.instant().plus(MARGIN), halfLife);
    var uses = new LinkedHashMap<Use, Key>();
    rows.forEach(
        row ->
            uses(row)
                .filter(use -> use.hour.compareTo(since) >= 0)
                .forEach(use -> uses.putIfAbsent(use, row.key())));
    var keys = uses.keySet().stream().map(use -> TagTrend.key(halfLife, use.tag)).toList();
    var there = RelatedRows.at(keys, scanner);
    var drifts = new ArrayList<Drift>();
    uses.forEach((use, seenAt) -> drift(use, seenAt, there).ifPresent(drifts::add));
    return drifts;
  }

  private static Stream<Use> uses(Row row) {
    if (row instanceof TagTrend trend) {
      return trend.uses().keySet().stream().map(hour -> new Use(trend.tag(), hour));
    }
    if (row instanceof Post post) {
      return post.tags().stream().map(tag -> new Use(tag, TagTrend.hour(post.createdAt())));
    }
    throw new IllegalArgumentException("Does not concern " + row.key());
  }

  private Optional<Drift> drift(Use use, Key seenAt, RelatedRows there) {
    if (there.isUnreadable(TagTrend.key(halfLife, use.tag))) {
      return Optional.empty();
    }
    var stored = stored(use.tag, there);
    if (uses(stored, use) == counted(use)) {
      return Optional.empty();
    }
    var counted = new Counted(use, stored, brought(use), counted(use));
    return counted.isRight()
        ? Optional.empty()
        : Optional.of(
            new Drift(seenAt, counted.problem(), repairs -> add(counted, repairs))
                .behind(places(use), Set.of(Place.counts(stored.key().partition())))
                .unless(stored.key(), again -> counted.isPassedBy(stored(use.tag, again))));
  }

  private static long uses(TagTrend row, Use use) {
    return row.uses().getOrDefault(use.hour, 0L);
  }

  /**
   * An hour of a tag as it was counted.
   *
   * @param row the row of the tag, read before the count
   * @param brought the revisions of the rows of the stream shards for the hour, read before the
   *     count
   * @param posts what the index of tags shows
   */
  private record Counted(Use use, TagTrend row, Map<Key, Long> brought, long posts) {
    boolean isRight() {
      return uses(row, use) == posts;
    }

    String problem() {
      return "%s was used %d times at %s, but %d were counted"
          .formatted(Keys.tag(use.tag), uses(row, use), use.hour, posts);
    }

    boolean isPassedBy(TagTrend current) {
      return Drift.isPassed(uses(row, use), posts, uses(current, use));
    }

    /** Returns whether a row has the same uses of the hour. */
    boolean isStill(TagTrend current) {
      return uses(current, use) == uses(row, use)
          && Objects.equals(current.recounts().get(use.hour), row.recounts().get(use.hour));
    }
  }

  private TagTrend stored(String tag, RelatedRows there) {
    return there
        .get(TagTrend.key(halfLife, tag), TagTrend.class)
        .orElseGet(() -> TagTrend.empty(halfLife.toHours(), tag));
  }

  /**
   * Returns the partitions of some posts of the hour. The posts of a tag lie in all shards, so
   * fences at some of them are a sample of how far the lanes are. The lane of counts counts the
   * uses, and the lane of effects writes the tag rows that are compared with them. The partition of
   * the tag itself comes after them, because the lanes write rows to it for the posts.
   */
  private Set<Place> places(Use use) {
    var posts = scanner.partitions(Index.POSTS_BY_TAG, Keys.tag(use.tag), use.hour, SAMPLE);
    return Stream.concat(posts.stream(), Stream.of(Keys.tag(use.tag)))
        .flatMap(partition -> Stream.of(Place.counts(partition), Place.effects(partition)))
        .collect(Collectors.toSet());
  }

  private long counted(Use use) {
    return scanner.count(Index.POSTS_BY_TAG, Keys.tag(use.tag), use.hour);
  }

  private TagTrend current(String tag) {
    return stored(tag, RelatedRows.at(List.of(TagTrend.key(halfLife, tag)), scanner));
  }

  /** Returns how often the rows of the stream shards for an hour were written. */
  private Map<Key, Long> brought(Use use) {
    return scanner
        .items(TagTrend.key(halfLife, use.tag).partition(), use.hour)
        .collect(Collectors.toMap(Item::key, TagUseCheck::revision));
  }

  private static long revision(Item item) {
    return item instanceof Stored stored && stored.row() instanceof TagUses uses
        ? uses.revision()
        : UNREADABLE;
  }

  /**
   * Adds the missing uses. A post that the count saw before the stream counted it has changed a row
   * of its shard for the hour since, because the stream was drained in between; then nothing is
   * written. The index may lag, so the posts are counted again. Other hours of the tag may be
   * counted meanwhile. They share a row, so only one of them is repaired at a time.
   */
  private boolean add(Counted counted, Repairs repairs) {
    ONE_AT_A_TIME.lock();
    try {
      for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
        var current = current(counted.use.tag);
        if (counted.brought.containsValue(UNREADABLE)
            || !counted.isStill(current)
            || counted(counted.use) != counted.posts
            || !brought(counted.use).equals(counted.brought)) {
          return false;
        }
        long missing = counted.posts - uses(current, counted.use);
        if (repairs.recounts().setRanked(current, counted.use.hour, missing)) {
          return true;
        }
      }
      return false;
    } finally {
      ONE_AT_A_TIME.unlock();
    }
  }
}
