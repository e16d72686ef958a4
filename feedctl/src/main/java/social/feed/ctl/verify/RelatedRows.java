package social.feed.ctl.verify;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/** What lies at the keys that a check compares its rows with. */
final class RelatedRows {
  private final Map<Key, TableScanner.Item> items = new HashMap<>();

  private RelatedRows() {}

  /** Reads them, strongly consistent. One read unit each. */
  static RelatedRows at(Collection<Key> keys, TableScanner census) {
    var neighbours = new RelatedRows();
    census.at(keys).forEach(item -> neighbours.items.put(item.key(), item));
    return neighbours;
  }

  /** Whether anything is there, readable or not. */
  boolean has(Key key) {
    return items.containsKey(key);
  }

  /** Whether something is there that nothing can be said about. */
  boolean isUnreadable(Key key) {
    return items.get(key) instanceof TableScanner.Unreadable;
  }

  /** The row that is there, if it is of a kind. */
  <R extends Row> Optional<R> get(Key key, Class<R> kind) {
    return items.get(key) instanceof TableScanner.Stored stored && kind.isInstance(stored.row())
        ? Optional.of(kind.cast(stored.row()))
        : Optional.empty();
  }
}
