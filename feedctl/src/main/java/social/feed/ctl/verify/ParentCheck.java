package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.store.Table;

/**
 * Rows that make no sense without others. One read unit a row that must be there.
 *
 * @param name what is compared
 * @param types the rows that need others
 * @param needed the keys that must be there
 * @param table where to look
 */
record ParentCheck(
    String name, Set<Class<? extends Row>> types, Function<Row, List<Key>> needed, Table table)
    implements Check {

  @Override
  public boolean concerns(Row row) {
    return types.contains(row.getClass());
  }

  @Override
  public List<Drift> drifts(List<Row> rows) {
    var keys = rows.stream().flatMap(row -> needed.apply(row).stream()).toList();
    var there = new HashSet<Key>();
    table.getAll(keys, true).forEach(row -> there.add(row.key()));
    var drifts = new ArrayList<Drift>();
    for (var row : rows) {
      needed.apply(row).stream()
          .filter(key -> !there.contains(key))
          .forEach(key -> drifts.add(new Drift(row, row.key() + " needs " + key + ", absent")));
    }
    return drifts;
  }
}
