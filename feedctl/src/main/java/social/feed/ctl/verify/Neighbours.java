package social.feed.ctl.verify;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.store.Census;

/** What lies at the keys that a check compares its rows with. */
final class Neighbours {
  private final Map<Key, Census.Item> items = new HashMap<>();

  private Neighbours() {}

  /** Reads them, strongly consistent. One read unit each. */
  static Neighbours at(Collection<Key> keys, Census census) {
    var neighbours = new Neighbours();
    census.at(keys).forEach(item -> neighbours.items.put(item.key(), item));
    return neighbours;
  }

  /** Whether anything is there, readable or not. */
  boolean has(Key key) {
    return items.containsKey(key);
  }

  /** Whether something is there that nothing can be said about. */
  boolean isUnreadable(Key key) {
    return items.get(key) instanceof Census.Unreadable;
  }

  /** The row that is there, if it is of a kind. */
  <R extends Row> Optional<R> get(Key key, Class<R> kind) {
    return items.get(key) instanceof Census.Stored stored && kind.isInstance(stored.row())
        ? Optional.of(kind.cast(stored.row()))
        : Optional.empty();
  }
}
