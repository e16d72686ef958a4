package social.feed.ctl.verify;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 * Each feed holds what it owes: the reader's own posts, and those of each followed author since the
 * follow, or since the time to which it was filled up then; nothing that is too old for any feed,
 * and nothing that a reader who was away is yet to be brought. One read unit an entry and one an
 * edge; {@link FeedRepair} delivers what is missing.
 */
final class FeedCompleteCheck implements RowCheck {
  private final TableScanner census;
  private final AuthorPosts posts;
  private final FeedRepair repair;
  private final Clock clock;

  FeedCompleteCheck(TableScanner census, AuthorPosts posts, FeedRepair repair, Clock clock) {
    this.census = census;
    this.posts = posts;
    this.repair = repair;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "feeds complete";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof Follow || row instanceof Post;
  }

  /** An entry that must be there, and why. */
  private record Owed(Row because, FeedEntry entry) {}

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var readers = RelatedRows.at(readers(rows), census);
    var owed = rows.stream().flatMap(row -> owed(row, readers).stream()).toList();
    var there = RelatedRows.at(owed.stream().map(o -> o.entry.key()).toList(), census);
    return owed.stream().filter(o -> !there.has(o.entry.key())).map(this::drift).toList();
  }

  private Drift drift(Owed owed) {
    return new Drift(
        owed.because.key(),
        owed.entry.key() + " is missing in the feed",
        () -> repair.deliver(owed.entry));
  }

  private static List<Key> readers(List<Row> rows) {
    return rows.stream()
        .filter(Follow.class::isInstance)
        .map(row -> FeedActivity.key(((Follow) row).followerId()))
        .distinct()
        .toList();
  }

  private List<Owed> owed(Row row, RelatedRows readers) {
    return switch (row) {
      case Post post when !post.createdAt().isBefore(horizon()) ->
          List.of(new Owed(post, FeedEntry.of(post.ref(), post.authorId())));
      case Follow edge when !readers.isUnreadable(FeedActivity.key(edge.followerId())) ->
          owed(edge, readers.get(FeedActivity.key(edge.followerId()), FeedActivity.class));
      default -> List.of();
    };
  }

  private List<Owed> owed(Follow edge, Optional<FeedActivity> reader) {
    var since = since(edge, reader);
    var until = until(edge, reader);
    var owed = new ArrayList<Owed>();
    for (PostRef post : posts.of(edge.followeeId())) {
      boolean inTime = !post.createdAt().isBefore(since) && post.createdAt().isBefore(until);
      if (inTime && isPushed(post)) {
        owed.add(new Owed(edge, FeedEntry.of(post, edge.followerId())));
      }
    }
    return owed;
  }

  /** Of pulled posts only the author's own feed has an entry. */
  private static boolean isPushed(PostRef post) {
    return post.visibility() != Visibility.PRIVATE && post.delivery() != FanOutMode.PULL;
  }

  private Instant since(Follow edge, Optional<FeedActivity> reader) {
    var stored = reader.map(FeedActivity::storedSince).orElse(Instant.EPOCH);
    return Stream.of(edge.fedSince(), stored, horizon()).max(Instant::compareTo).orElseThrow();
  }

  /** Of somebody who has not read for long, deliveries may have left out what is newer. */
  private Instant until(Follow edge, Optional<FeedActivity> reader) {
    var seen =
        reader
            .filter(activity -> activity.lastReadAt().isAfter(edge.createdAt()))
            .orElseGet(() -> FeedActivity.at(edge.followerId(), edge.createdAt()));
    return seen.isDormant(clock.instant()) ? seen.mayLackFrom() : Instant.MAX;
  }

  /** Entries that expire while it looks for them are not missing. */
  private Instant horizon() {
    return FeedEntry.horizon(clock.instant()).plus(Duration.ofHours(1));
  }
}
