package social.feed.ctl.verify;

import java.util.List;
import social.feed.table.row.Row;

/** One thing that must hold between rows. */
interface Check {
  /** What it compares, for the table of results. */
  String name();

  /** Whether a row is one that this check starts from. */
  boolean concerns(Row row);

  /** What is wrong around some rows, all of which {@link #concerns} this check. */
  List<Drift> drifts(List<Row> rows);
}
