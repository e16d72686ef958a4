package social.feed.ctl.verify;

import java.util.List;
import social.feed.table.store.Census;

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
  public boolean concerns(Census.Item item) {
    return true;
  }

  @Override
  public List<Drift> drifts(List<Census.Item> items) {
    return items.stream()
        .filter(Census.Unreadable.class::isInstance)
        .map(Census.Unreadable.class::cast)
        .map(item -> new Drift(item.key(), item.key() + ": " + item.problem(), Repair.NONE))
        .toList();
  }
}
