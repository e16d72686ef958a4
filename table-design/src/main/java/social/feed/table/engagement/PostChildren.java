package social.feed.table.engagement;

import java.util.List;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;

/** The rows in a post's partition next to the post: tags, likes, comments. */
public final class PostChildren {
  private static final List<String> PREFIXES = List.of(Keys.TAGS, Keys.LIKES, Keys.COMMENTS);

  private final Table table;
  private final PartitionQueries partitions;

  public PostChildren(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
  }

  /** Deletes all of them, a page at a time, so that memory does not grow with their number. */
  public void deleteAll(String postId) {
    for (var prefix : PREFIXES) {
      partitions.keys(Keys.post(postId), prefix).forEach(table::deleteAll);
    }
  }

  /** Deletes one of them; there may be none. */
  public void delete(Key row) {
    table.deleteAll(List.of(row));
  }
}
