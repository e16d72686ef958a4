package social.feed.ctl.verify;

import java.util.List;
import social.feed.table.kernel.store.TableScanner;

/**
 * Each item is a row of ours and lies where such a row belongs. One that is not is only named:
 * nobody knows what it should be.
 */
final class ReadableCheck implements Check {
  @Override
  public String name() {
    return "readable rows";
  }

  @Override
  public boolean concerns(TableScanner.Item item) {
    return true;
  }

  @Override
  public List<Drift> drifts(List<TableScanner.Item> items) {
    return items.stream()
        .filter(TableScanner.Unreadable.class::isInstance)
        .map(TableScanner.Unreadable.class::cast)
        .map(item -> new Drift(item.key(), item.key() + ": " + item.problem(), Repair.NONE))
        .toList();
  }
}
