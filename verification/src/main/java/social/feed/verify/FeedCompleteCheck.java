package social.feed.verify;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;

/**
 * Checks that each feed is complete. It holds the reader's own posts, and those of each followed
 * author since the follow, or since the start of the backfill. It needs no entry that is too old
 * for any feed, and none that an inactive reader will get on return. Reads one unit an entry and
 * one an edge. It is no {@link DerivedRows} because the activity of a reader decides what is
 * expected.
 *
 * <p>An edge may require thousands of entries, and a page of the walk a million. So a part of them
 * is in memory, and the entries that an edge lacks are one drift. Its repair looks for them again.
 */
record FeedCompleteCheck(TableScanner scanner, AuthorPosts posts, Clock clock) implements RowCheck {
  /** The entries that are in memory together. */
  static final int TOGETHER = 1_000;

  @Override
  public String name() {
    return "complete feeds";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof Follow || row instanceof Post;
  }

  /** An entry that must exist because of a row. */
  private record Expected(Row because, FeedEntry entry) {}

  /**
   * The entries that are missing because of a row.
   *
   * @param first one of them
   * @param more the number of the others
   */
  private record Missing(Expected first, long more) {
    private Missing and(Missing other) {
      return new Missing(first, more + other.more + 1);
    }
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var found = new LinkedHashMap<Key, Missing>();
    missing(rows)
        .forEach(each -> found.merge(each.because.key(), new Missing(each, 0), Missing::and));
    return found.values().stream().map(this::drift).toList();
  }

  /** Returns the entries that are missing because of some rows, read as the stream is consumed. */
  private Stream<Expected> missing(List<Row> rows) {
    var readers = RelatedRows.at(readers(rows), scanner);
    return rows.stream()
        .flatMap(row -> expected(row, readers))
        .gather(Gatherers.windowFixed(TOGETHER))
        .flatMap(this::absent);
  }

  private Stream<Expected> absent(List<Expected> expected) {
    var there = RelatedRows.at(expected.stream().map(each -> each.entry.key()).toList(), scanner);
    return expected.stream().filter(each -> !there.has(each.entry.key()));
  }

  private Drift drift(Missing missing) {
    var row = missing.first.because;
    var more =
        missing.more == 0
            ? ""
            : ", and %,d others that %s requires".formatted(missing.more, row.key());
    var seen = clock.instant();
    return new Drift(
            row.key(),
            missing.first.entry.key() + " is missing from the feed" + more,
            repairs -> deliverMissing(row, repairs))
        .unless(() -> isDelivered(row, seen));
  }

  /** Returns whether the entries that a row required at a time are there or no longer required. */
  private boolean isDelivered(Row row, Instant seen) {
    return missing(List.of(row)).allMatch(each -> each.entry.createdAt().isAfter(seen));
  }

  private boolean deliverMissing(Row row, Repairs repairs) {
    return missing(List.of(row))
        .map(each -> repairs.deliver(each.entry))
        .reduce(false, Boolean::logicalOr);
  }

  private static List<Key> readers(List<Row> rows) {
    return rows.stream()
        .filter(Follow.class::isInstance)
        .map(row -> FeedActivity.key(((Follow) row).followerId()))
        .distinct()
        .toList();
  }

  private Stream<Expected> expected(Row row, RelatedRows readers) {
    if (row instanceof Post post) {
      return expected(post);
    }
    if (row instanceof Follow edge) {
      return expected(edge, readers);
    }
    throw new IllegalArgumentException("Does not concern " + row.key());
  }

  private Stream<Expected> expected(Post post) {
    return post.createdAt().isBefore(horizon())
        ? Stream.empty()
        : Stream.of(new Expected(post, FeedEntry.of(post.ref(), post.authorId())));
  }

  private Stream<Expected> expected(Follow edge, RelatedRows readers) {
    var activity = FeedActivity.key(edge.followerId());
    if (readers.isUnreadable(activity)) {
      return Stream.empty();
    }
    var reader = readers.get(activity, FeedActivity.class);
    var since = since(edge, reader);
    var until = until(edge, reader);
    return posts
        .of(edge.followeeId())
        .takeWhile(post -> !post.createdAt().isBefore(since))
        .filter(post -> post.createdAt().isBefore(until))
        .filter(FeedCompleteCheck::isPushed)
        .map(post -> new Expected(edge, FeedEntry.of(post, edge.followerId())));
  }

  /** Only the author's own feed has an entry of a pulled post. */
  private static boolean isPushed(PostRef post) {
    return post.visibility() != Visibility.PRIVATE && post.delivery() != FanOutMode.PULL;
  }

  private Instant since(Follow edge, Optional<FeedActivity> reader) {
    var stored = reader.map(FeedActivity::storedSince).orElse(Instant.EPOCH);
    return Stream.of(edge.fedSince(), stored, horizon()).max(Instant::compareTo).orElseThrow();
  }

  /** A reader who has not read for long may lack newer posts, because deliveries skip the feed. */
  private Instant until(Follow edge, Optional<FeedActivity> reader) {
    var activity =
        reader
            .filter(read -> read.lastReadAt().isAfter(edge.createdAt()))
            .orElseGet(() -> FeedActivity.at(edge.followerId(), edge.createdAt()));
    return activity.isDormant(clock.instant()) ? activity.mayLackFrom() : Instant.MAX;
  }

  /** An entry that expires during the check is not missing. */
  private Instant horizon() {
    return FeedEntry.horizon(clock.instant()).plus(Duration.ofHours(1));
  }
}
