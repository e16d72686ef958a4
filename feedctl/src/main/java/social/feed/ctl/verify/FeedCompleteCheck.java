package social.feed.ctl.verify;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import social.feed.table.store.Table;

/**
 * Each feed holds what it owes: the reader's own posts, and those of each followed author since the
 * follow, or since the time to which it was filled up then. One read unit an entry.
 */
final class FeedCompleteCheck implements Check {
  private final Table table;
  private final AuthorPosts posts;

  FeedCompleteCheck(Table table, AuthorPosts posts) {
    this.table = table;
    this.posts = posts;
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
  private record Owed(Row because, Key entry) {}

  @Override
  public List<Drift> drifts(List<Row> rows) {
    var owed = rows.stream().flatMap(row -> owed(row).stream()).toList();
    var there = new HashSet<Key>();
    table.getAll(owed.stream().map(Owed::entry).toList(), true).forEach(r -> there.add(r.key()));
    return owed.stream()
        .filter(entry -> !there.contains(entry.entry))
        .map(entry -> new Drift(entry.because, entry.entry + " is missing in the feed"))
        .toList();
  }

  private List<Owed> owed(Row row) {
    return switch (row) {
      case Post post -> List.of(new Owed(post, FeedEntry.of(post.ref(), post.authorId()).key()));
      case Follow edge -> owed(edge);
      default -> List.of();
    };
  }

  private List<Owed> owed(Follow edge) {
    var since = since(edge);
    var owed = new ArrayList<Owed>();
    for (PostRef post : posts.of(edge.followeeId())) {
      if (!post.createdAt().isBefore(since) && post.visibility() != Visibility.PRIVATE) {
        owed.add(new Owed(edge, FeedEntry.of(post, edge.followerId()).key()));
      }
    }
    return owed;
  }

  private static Instant since(Follow edge) {
    var filled = edge.feedSince();
    return filled != null && filled.isBefore(edge.createdAt()) ? filled : edge.createdAt();
  }
}
