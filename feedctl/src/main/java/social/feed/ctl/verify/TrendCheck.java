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
import social.feed.table.counter.CounterRecounts;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.TagTrend;
import social.feed.table.row.Visibility;

/**
 * The uses of a tag in an hour that still matters are its public posts of that hour. They are
 * counted through the tag rows, which were compared with the posts before. A tag's rows are read
 * together, since its uses are their sum, and one query counts a tag and hour; of each post it is
 * asked whether there is a row at all. Rows of another half-life are left alone.
 *
 * @param halfLife by which the platform counts
 */
record TrendCheck(TableScanner census, CounterRecounts recounts, Duration halfLife, Clock clock)
    implements RowCheck {
  private static final Duration MARGIN = Duration.ofHours(1);
  private static final Lock ONE_AT_A_TIME = new ReentrantLock();

  @Override
  public String name() {
    return "uses of tags";
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
    // Hours that are forgotten while it looks are not missing.
    var since = TagTrend.oldest(clock.instant().plus(MARGIN), halfLife);
    var uses = new LinkedHashMap<Use, Key>();
    rows.forEach(
        row ->
            uses(row)
                .filter(use -> use.hour.compareTo(since) >= 0)
                .forEach(use -> uses.putIfAbsent(use, row.key())));
    var keys = uses.keySet().stream().flatMap(use -> rowsOf(use.tag).map(TagTrend::key)).toList();
    var there = RelatedRows.at(keys, census);
    var drifts = new ArrayList<Drift>();
    uses.forEach((use, seenAt) -> drift(use, seenAt, there).ifPresent(drifts::add));
    return drifts;
  }

  private static Stream<Use> uses(Row row) {
    return switch (row) {
      case TagTrend trend -> trend.uses().keySet().stream().map(h -> new Use(trend.tag(), h));
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
    var held =
        rowsOf(use.tag).map(row -> there.get(row.key(), TagTrend.class).orElse(row)).toList();
    long is = held.stream().mapToLong(row -> row.uses().getOrDefault(use.hour, 0L)).sum();
    long counted = counted(use);
    var problem =
        "%s was used %d times at %s, counted are %d"
            .formatted(Keys.tag(use.tag), is, use.hour, counted);
    return is == counted
        ? Optional.empty()
        : Optional.of(new Drift(seenAt, problem, () -> add(use, counted, is, held)));
  }

  private long counted(Use use) {
    return census.count(Index.POSTS_BY_TAG, Keys.tag(use.tag), use.hour);
  }

  /**
   * What the count saw and the stream had not counted has moved a mark since, and refuses it: the
   * stream was drained in between. The index may have been behind, so it is counted once more. The
   * hours of a tag are in the same rows, so no two are put right at the same time.
   */
  private boolean add(Use use, long counted, long is, List<TagTrend> seen) {
    ONE_AT_A_TIME.lock();
    try {
      var there = RelatedRows.at(seen.stream().map(TagTrend::key).toList(), census);
      var now =
          seen.stream()
              .map(row -> there.get(row.key(), TagTrend.class).orElseGet(() -> empty(row)))
              .toList();
      boolean isSame =
          IntStream.range(0, now.size()).allMatch(i -> isSame(now.get(i), seen.get(i), use.hour));
      return isSame && counted(use) == counted && recounts.setRanked(now, use.hour, counted - is);
    } finally {
      ONE_AT_A_TIME.unlock();
    }
  }

  /** Whether nothing has come to a row but what was counted anew of other hours. */
  private static boolean isSame(TagTrend now, TagTrend seen, String hour) {
    return now.marks().equals(seen.marks())
        && Objects.equals(now.uses().get(hour), seen.uses().get(hour))
        && Objects.equals(now.recounts().get(hour), seen.recounts().get(hour));
  }

  private static TagTrend empty(TagTrend row) {
    return TagTrend.empty(row.halfLifeHours(), row.tag(), row.spread());
  }
}
