package social.feed.bounds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import social.feed.search.IndexedAccount;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;

/** Writes many rows in large batches, and puts posts and accounts into the search index. */
final class BulkRows {
  private static final int CHUNK = 1_000;

  private final Table table;
  private final SearchIndex search;
  private final List<Row> rows = new ArrayList<>();

  BulkRows(Table table, SearchIndex search) {
    this.table = table;
    this.search = search;
  }

  /** Adds rows to those of the next batch, and to the index. */
  void add(Row... some) {
    rows.addAll(List.of(some));
    for (var row : some) {
      index(row);
    }
    if (rows.size() > CHUNK) {
      flush();
    }
  }

  /** As the sink of a search does. */
  private void index(Row row) {
    try {
      switch (row) {
        case Post post ->
            search.putPost(
                new IndexedPost(
                    post.postId(),
                    post.authorId(),
                    post.text(),
                    Set.copyOf(post.tags()),
                    post.createdAt()),
                "1");
        case User user ->
            search.putAccount(
                new IndexedAccount(user.userId(), user.handle(), user.displayName()), "1");
        default -> {}
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes what was added and is not written yet. */
  void flush() {
    table.putAll(rows);
    rows.clear();
  }
}
