package social.feed.table.engagement;

import java.util.Collection;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;

/** The rows in a post's partition next to the post: tags, likes, comments. */
public final class PostChildren {
  private final Table table;

  public PostChildren(Table table) {
    this.table = table;
  }

  /** Deletes some of them, of any posts; there may be none. */
  public void delete(Collection<Key> rows) {
    table.deleteAll(rows);
  }
}
