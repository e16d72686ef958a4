package social.feed.streams.effect;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.NotificationSource;

/** Reads the rows that notifications come from, as they are now. */
final class NotificationSources {
  private final Table table;

  NotificationSources(Table table) {
    this.table = table;
  }

  /** Returns the creation times of the rows that exist, strongly consistent. One read unit each. */
  Map<Key, Instant> present(Collection<Key> keys) {
    var present = new HashMap<Key, Instant>();
    for (var row : table.getAll(keys, true)) {
      if (row instanceof NotificationSource source) {
        present.put(source.key(), source.createdAt());
      }
    }
    return present;
  }
}
