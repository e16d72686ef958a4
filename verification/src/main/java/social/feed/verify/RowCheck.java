package social.feed.verify;

import java.util.List;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Row;

/**
 * A check that starts from readable rows. Unreadable items are reported by a check of their own.
 */
interface RowCheck extends Check {
  /** Returns whether the check starts from a row. */
  boolean concerns(Row row);

  /** Returns the drift around some rows, all of which concern this check. */
  List<Drift> inspect(List<Row> rows);

  @Override
  default boolean concerns(TableScanner.Item item) {
    return item instanceof TableScanner.Stored stored && concerns(stored.row());
  }

  @Override
  default List<Drift> drifts(List<TableScanner.Item> items) {
    return inspect(items.stream().map(item -> ((TableScanner.Stored) item).row()).toList());
  }
}
