package social.feed.ctl.verify;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;

/**
 * No feed holds what it should not: each entry's post exists, is what the entry says, may be seen,
 * and is the reader's own, followed or kept. Three read units an entry; {@link FeedRepair} takes
 * out what is not so.
 */
record FeedSoundCheck(TableScanner census, FeedRepair repair) implements RowCheck {
  @Override
  public String name() {
    return "feeds sound";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof FeedEntry;
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var entries = rows.stream().map(FeedEntry.class::cast).toList();
    var there = around(entries, census);
    return entries.stream()
        .flatMap(
            e ->
                problem(e, there)
                    .map(p -> new Drift(e.key(), e.key() + " " + p, () -> repair.withdraw(e)))
                    .stream())
        .toList();
  }

  /** Whether a feed may hold an entry now. Three read units. */
  static boolean isSound(FeedEntry entry, TableScanner census) {
    return problem(entry, around(List.of(entry), census)).isEmpty();
  }

  private static RelatedRows around(List<FeedEntry> entries, TableScanner census) {
    var keys =
        entries.stream()
            .flatMap(entry -> Stream.of(Post.key(entry.postId()), edge(entry), history(entry)))
            .toList();
    return RelatedRows.at(keys, census);
  }

  private static Key edge(FeedEntry entry) {
    return Follow.key(entry.readerId(), entry.authorId());
  }

  private static Key history(FeedEntry entry) {
    return RetainedPosts.key(entry.readerId(), entry.authorId());
  }

  private static boolean isKept(FeedEntry entry, RelatedRows there) {
    return there
        .get(history(entry), RetainedPosts.class)
        .filter(kept -> kept.covers(entry.createdAt()))
        .isPresent();
  }

  private static Optional<String> problem(FeedEntry entry, RelatedRows there) {
    if (there.isUnreadable(Post.key(entry.postId())) || there.isUnreadable(history(entry))) {
      return Optional.empty();
    }
    return there
        .get(Post.key(entry.postId()), Post.class)
        .map(post -> problem(entry, post, there))
        .orElseGet(() -> Optional.of("is of a post that does not exist"));
  }

  private static Optional<String> problem(FeedEntry entry, Post post, RelatedRows there) {
    if (!post.authorId().equals(entry.authorId())) {
      return Optional.of("names another author than its post: " + entry.authorId());
    }
    var fresh = FeedEntry.of(post.ref(), entry.readerId());
    if (!fresh.equals(entry)) {
      return Optional.of("has other keys than its post asks for: " + fresh.key());
    }
    boolean own = entry.readerId().equals(entry.authorId());
    if (!own && post.visibility() == Visibility.PRIVATE) {
      return Optional.of("is of a private post");
    }
    if (!own && post.delivery() == FanOutMode.PULL) {
      return Optional.of("is of a post that is pulled");
    }
    boolean owed = own || there.has(edge(entry)) || isKept(entry, there);
    return owed ? Optional.empty() : Optional.of("is of an author who is not followed");
  }
}
