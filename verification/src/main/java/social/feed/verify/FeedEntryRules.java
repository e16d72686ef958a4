package social.feed.verify;

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
import social.feed.table.row.Visibility;

/**
 * Decides which entries a feed may hold. The post of an entry must exist, agree with the entry and
 * be visible to the reader. Its author must be the reader, be followed, or have retained posts.
 */
final class FeedEntryRules {
  private FeedEntryRules() {}

  /** Returns whether a feed may hold an entry now. Three read units. */
  static boolean isValid(FeedEntry entry, TableScanner scanner) {
    var keys = List.of(Post.key(entry.postId()), edge(entry), retained(entry));
    return problem(entry, RelatedRows.at(keys, scanner)).isEmpty();
  }

  /** Returns the keys of the rows that decide about an entry. Its own post needs no edge. */
  static Stream<Key> related(FeedEntry entry) {
    var post = Post.key(entry.postId());
    return isOwn(entry) ? Stream.of(post) : Stream.of(post, edge(entry));
  }

  /**
   * Returns the key of the row that decides as well where the reader does not follow the author.
   */
  static Stream<Key> relatedWithoutEdge(FeedEntry entry, RelatedRows there) {
    return isOwn(entry) || there.has(edge(entry)) ? Stream.empty() : Stream.of(retained(entry));
  }

  /** Returns why a feed may not hold an entry, as the rest of a sentence. */
  static Optional<String> problem(FeedEntry entry, RelatedRows there) {
    if (there.isUnreadable(Post.key(entry.postId())) || there.isUnreadable(retained(entry))) {
      return Optional.empty();
    }
    return there
        .get(Post.key(entry.postId()), Post.class)
        .map(post -> problem(entry, post, there))
        .orElseGet(() -> Optional.of("refers to a post that does not exist"));
  }

  private static Optional<String> problem(FeedEntry entry, Post post, RelatedRows there) {
    if (!post.authorId().equals(entry.authorId())) {
      return Optional.of("names another author than its post: " + entry.authorId());
    }
    var correct = FeedEntry.of(post.ref(), entry.readerId());
    if (!correct.equals(entry)) {
      return Optional.of("has other keys than its post requires: " + correct.key());
    }
    boolean isOwn = isOwn(entry);
    if (!isOwn && post.visibility() == Visibility.PRIVATE) {
      return Optional.of("refers to a private post");
    }
    if (!isOwn && post.delivery() == FanOutMode.PULL) {
      return Optional.of("refers to a pulled post");
    }
    boolean isEligible = isOwn || there.has(edge(entry)) || isRetained(entry, there);
    return isEligible
        ? Optional.empty()
        : Optional.of("refers to an author whom the reader does not follow");
  }

  private static boolean isOwn(FeedEntry entry) {
    return entry.readerId().equals(entry.authorId());
  }

  private static boolean isRetained(FeedEntry entry, RelatedRows there) {
    return there
        .get(retained(entry), RetainedPosts.class)
        .filter(posts -> posts.covers(entry.createdAt()))
        .isPresent();
  }

  private static Key edge(FeedEntry entry) {
    return Follow.key(entry.readerId(), entry.authorId());
  }

  private static Key retained(FeedEntry entry) {
    return RetainedPosts.key(entry.readerId(), entry.authorId());
  }
}
