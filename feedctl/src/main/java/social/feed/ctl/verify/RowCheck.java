package social.feed.ctl.verify;

import java.util.List;
import social.feed.table.row.Row;
import social.feed.table.store.Census;

/**
 * A check that starts from rows that can be read; the others are named by {@link ReadableCheck}.
 */
interface RowCheck extends Check {
  /** Whether a row is one that this check starts from. */
  boolean concerns(Row row);

  /** What is wrong around some rows, all of which concern this check. */
  List<Drift> inspect(List<Row> rows);

  @Override
  default boolean concerns(Census.Item item) {
    return item instanceof Census.Stored stored && concerns(stored.row());
  }

  @Override
  default List<Drift> drifts(List<Census.Item> items) {
    return inspect(items.stream().map(item -> ((Census.Stored) item).row()).toList());
  }
}
