package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.List;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Row;

/**
 * Checks that the {@linkplain Row#parents() parents} of each row exist. Reads each parent once a
 * row, at one read unit. {@link OrphanRepair} decides what becomes of a row whose parent is absent.
 */
record ParentCheck(TableScanner census, OrphanRepair repair) implements RowCheck {
  @Override
  public String name() {
    return "rows with their parents";
  }

  @Override
  public boolean concerns(Row row) {
    return !row.parents().isEmpty();
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var parents = rows.stream().flatMap(row -> row.parents().stream()).toList();
    var there = RelatedRows.at(parents, census);
    var drifts = new ArrayList<Drift>();
    for (var row : rows) {
      for (var parent : row.parents()) {
        if (!there.has(parent)) {
          var problem = row.key() + " needs " + parent + ", which is absent";
          drifts.add(new Drift(row.key(), problem, repair.of(row, parent)));
        }
      }
    }
    return drifts;
  }
}
