package social.feed.verify;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/** The items at the keys that a check compares its rows with. */
final class RelatedRows {
  private final Map<Key, TableScanner.Item> items = new HashMap<>();

  private RelatedRows() {}

  /** Reads the items at some keys, strongly consistent. One read unit each. */
  static RelatedRows at(Collection<Key> keys, TableScanner scanner) {
    var related = new RelatedRows();
    related.add(keys, scanner);
    return related;
  }

  /** Reads the items at further keys, strongly consistent. One read unit each. */
  void add(Collection<Key> keys, TableScanner scanner) {
    scanner.at(keys).forEach(item -> items.put(item.key(), item));
  }

  /** Returns whether an item exists at a key, readable or not. */
  boolean has(Key key) {
    return items.containsKey(key);
  }

  /** Returns whether the item at a key cannot be read, so that it cannot be compared. */
  boolean isUnreadable(Key key) {
    return items.get(key) instanceof TableScanner.Unreadable;
  }

  /** Returns the row at a key, if it is of a kind. */
  <R extends Row> Optional<R> get(Key key, Class<R> kind) {
    return items.get(key) instanceof TableScanner.Stored stored && kind.isInstance(stored.row())
        ? Optional.of(kind.cast(stored.row()))
        : Optional.empty();
  }
}
