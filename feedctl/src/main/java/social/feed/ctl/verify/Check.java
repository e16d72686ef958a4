package social.feed.ctl.verify;

import java.util.List;
import social.feed.table.kernel.store.TableScanner;

/** One thing that must hold between rows. */
interface Check {
  /** What it compares, for the table of results. */
  String name();

  /** Whether an item is one that this check starts from. */
  boolean concerns(TableScanner.Item item);

  /** What is wrong around some items, all of which {@link #concerns} this check. */
  List<Drift> drifts(List<TableScanner.Item> items);
}
