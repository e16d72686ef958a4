package social.feed.streams.index;

import java.util.Optional;
import java.util.Set;
import social.feed.search.EntryKind;
import social.feed.search.IndexEntry;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/** Which rows belong in a search index. */
public final class IndexEntries {
  private IndexEntries() {}

  /** Returns the entry of a row: of a public post or of an account. */
  public static Optional<IndexEntry> of(Row row) {
    return switch (row) {
      case Post post when post.visibility() == Visibility.PUBLIC ->
          Optional.of(
              new IndexedPost(
                  post.postId(),
                  post.authorId(),
                  post.text(),
                  Set.copyOf(post.tags()),
                  TimeOrderedId.timeOf(post.postId())));
      case User user ->
          Optional.of(new IndexedAccount(user.userId(), user.handle(), user.displayName()));
      default -> Optional.empty();
    };
  }

  /** Returns the key of the row that an entry is of. */
  public static Key key(EntryKind kind, String id) {
    return switch (kind) {
      case POST -> Post.key(id);
      case ACCOUNT -> User.key(id);
    };
  }
}
