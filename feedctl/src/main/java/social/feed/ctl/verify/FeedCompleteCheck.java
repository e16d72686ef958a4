package social.feed.ctl.verify;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import social.feed.table.row.Delivery;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import social.feed.table.store.Census;

/**
 * Each feed holds what it owes: the reader's own posts, and those of each followed author since the
 * follow, or since the time to which it was filled up then. One read unit an entry; {@link
 * FeedRepair} delivers what is missing.
 */
final class FeedCompleteCheck implements RowCheck {
  private final Census census;
  private final AuthorPosts posts;
  private final FeedRepair repair;

  FeedCompleteCheck(Census census, AuthorPosts posts, FeedRepair repair) {
    this.census = census;
    this.posts = posts;
    this.repair = repair;
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
    var owed = rows.stream().flatMap(row -> owed(row).stream()).toList();
    var there = Neighbours.at(owed.stream().map(o -> o.entry.key()).toList(), census);
    return owed.stream().filter(o -> !there.has(o.entry.key())).map(this::drift).toList();
  }

  private Drift drift(Owed owed) {
    return new Drift(
        owed.because.key(),
        owed.entry.key() + " is missing in the feed",
        () -> repair.deliver(owed.entry));
  }

  private List<Owed> owed(Row row) {
    return switch (row) {
      case Post post -> List.of(new Owed(post, FeedEntry.of(post.ref(), post.authorId())));
      case Follow edge -> owed(edge);
      default -> List.of();
    };
  }

  private List<Owed> owed(Follow edge) {
    var since = since(edge);
    var owed = new ArrayList<Owed>();
    for (PostRef post : posts.of(edge.followeeId())) {
      if (!post.createdAt().isBefore(since) && isPushed(post)) {
        owed.add(new Owed(edge, FeedEntry.of(post, edge.followerId())));
      }
    }
    return owed;
  }

  /** Of pulled posts only the author's own feed has an entry. */
  private static boolean isPushed(PostRef post) {
    return post.visibility() != Visibility.PRIVATE && post.delivery() != Delivery.PULL;
  }

  private static Instant since(Follow edge) {
    var filled = edge.feedSince();
    return filled != null && filled.isBefore(edge.createdAt()) ? filled : edge.createdAt();
  }
}
