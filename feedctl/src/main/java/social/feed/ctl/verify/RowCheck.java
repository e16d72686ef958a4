package social.feed.ctl.verify;

import java.util.List;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Row;

/**
 * A check that starts from rows that can be read; the others are named by {@link ReadableCheck}.
 */
interface RowCheck extends Check {
  /** Whether a row is one that this check starts from. */
  boolean concerns(Row row);

  /** What is wrong around some rows, all of which concern this check. */
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
