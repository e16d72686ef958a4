package social.feed.ctl.verify;

import java.util.List;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.TableScanner;

/**
 * Each row is in the indexes that it belongs into, at the place that it asks for, and in no other:
 * a read notification is not among the unread ones, the tag of a private post under no tag. Nothing
 * is read for it; a repair rewrites the keys.
 */
record IndexKeyCheck(ConditionalWrites corrections) implements Check {
  @Override
  public String name() {
    return "keys of indexes";
  }

  @Override
  public boolean concerns(TableScanner.Item item) {
    return item instanceof TableScanner.Stored;
  }

  @Override
  public List<Drift> drifts(List<TableScanner.Item> items) {
    return items.stream()
        .map(TableScanner.Stored.class::cast)
        .filter(stored -> !stored.misplacements().isEmpty())
        .map(this::drift)
        .toList();
  }

  private Drift drift(TableScanner.Stored stored) {
    var problem = stored.key() + ": " + String.join("; ", stored.misplacements());
    return new Drift(stored.key(), problem, () -> corrections.reindex(stored));
  }
}
