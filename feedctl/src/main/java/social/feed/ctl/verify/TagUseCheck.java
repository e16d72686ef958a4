package social.feed.ctl.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.TagTrend;
import social.feed.table.row.Visibility;

/**
 * Checks that the uses of a tag in an hour are its public posts of that hour. Hours that no longer
 * count are skipped. Counts through the tag rows, which an earlier check compared with the posts.
 * Reads all rows of a tag, because its uses are their sum, and one query for each tag and hour. For
 * each post it checks that its use is counted in some row. Rows of another half-life are skipped.
 * It is no {@link DerivedRows} because many posts and rows share one expectation.
 *
 * @param halfLife the half-life that the platform counts by
 */
record TagUseCheck(TableScanner scanner, Duration halfLife, Clock clock) implements RowCheck {
  private static final Duration MARGIN = Duration.ofHours(1);
  private static final Lock ONE_AT_A_TIME = new ReentrantLock();

  @Override
  public String name() {
    return "tag uses";
  }

  @Override
  public boolean concerns(Row row) {
    return switch (row) {
      case TagTrend trend -> trend.halfLifeHours() == halfLife.toHours();
      case Post post -> post.visibility() == Visibility.PUBLIC && !post.tags().isEmpty();
      default -> false;
    };
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
    var keys = uses.keySet().stream().flatMap(use -> rowsOf(use.tag).map(TagTrend::key)).toList();
    var there = RelatedRows.at(keys, scanner);
    var drifts = new ArrayList<Drift>();
    uses.forEach((use, seenAt) -> drift(use, seenAt, there).ifPresent(drifts::add));
    return drifts;
  }

  private static Stream<Use> uses(Row row) {
    return switch (row) {
      case TagTrend trend -> trend.uses().keySet().stream().map(hour -> new Use(trend.tag(), hour));
      case Post post ->
          post.tags().stream().map(tag -> new Use(tag, TagTrend.hour(post.createdAt())));
      default -> throw new IllegalArgumentException("Does not concern " + row.key());
    };
  }

  private Stream<TagTrend> rowsOf(String tag) {
    return IntStream.range(0, TagTrend.SPREAD)
        .mapToObj(spread -> TagTrend.empty(halfLife.toHours(), tag, spread));
  }

  private Optional<Drift> drift(Use use, Key seenAt, RelatedRows there) {
    if (rowsOf(use.tag).anyMatch(row -> there.isUnreadable(row.key()))) {
      return Optional.empty();
    }
    var stored =
        rowsOf(use.tag).map(row -> there.get(row.key(), TagTrend.class).orElse(row)).toList();
    long sum = stored.stream().mapToLong(row -> row.uses().getOrDefault(use.hour, 0L)).sum();
    long counted = counted(use);
    var problem =
        "%s was used %d times at %s, but %d were counted"
            .formatted(Keys.tag(use.tag), sum, use.hour, counted);
    return sum == counted
        ? Optional.empty()
        : Optional.of(
            new Drift(seenAt, problem, repairs -> add(use, counted, sum, stored, repairs)));
  }

  private long counted(Use use) {
    return scanner.count(Index.POSTS_BY_TAG, Keys.tag(use.tag), use.hour);
  }

  /**
   * Adds the missing uses. A post that the count saw before the stream counted it has moved a shard
   * checkpoint since, because the stream was drained in between; then the write is rejected. The
   * index may lag, so the posts are counted again. The hours of a tag share the same rows, so only
   * one of them is repaired at a time.
   */
  private boolean add(Use use, long counted, long sum, List<TagTrend> read, Repairs repairs) {
    ONE_AT_A_TIME.lock();
    try {
      var there = RelatedRows.at(read.stream().map(TagTrend::key).toList(), scanner);
      var current =
          read.stream()
              .map(row -> there.get(row.key(), TagTrend.class).orElseGet(() -> empty(row)))
              .toList();
      boolean isUnchanged =
          IntStream.range(0, current.size())
              .allMatch(i -> isUnchanged(current.get(i), read.get(i), use.hour));
      return isUnchanged
          && counted(use) == counted
          && repairs.recounts().setRanked(current, use.hour, counted - sum);
    } finally {
      ONE_AT_A_TIME.unlock();
    }
  }

  /** Returns whether a row is the one that was read, except for repairs of its other hours. */
  private static boolean isUnchanged(TagTrend current, TagTrend read, String hour) {
    return current.marks().equals(read.marks())
        && Objects.equals(current.uses().get(hour), read.uses().get(hour))
        && Objects.equals(current.recounts().get(hour), read.recounts().get(hour));
  }

  private static TagTrend empty(TagTrend row) {
    return TagTrend.empty(row.halfLifeHours(), row.tag(), row.spread());
  }
}
