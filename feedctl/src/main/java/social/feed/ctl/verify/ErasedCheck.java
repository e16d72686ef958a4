package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.List;
import social.feed.table.erasure.Eraser;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/**
 * No row names an account whose erasure is finished and still remembered, as a dead letter that is
 * redriven later could bring one back. One read unit for each account that some rows name; what is
 * found is erased as the erasure would have done it. One that is under way is left to itself.
 */
record ErasedCheck(TableScanner census, Eraser eraser) implements RowCheck {
  @Override
  public String name() {
    return "erased accounts";
  }

  @Override
  public boolean concerns(Row row) {
    return !row.referencedAccounts().isEmpty();
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var named = rows.stream().flatMap(row -> row.referencedAccounts().stream()).distinct();
    var there = RelatedRows.at(named.map(Erasure::key).toList(), census);
    var drifts = new ArrayList<Drift>();
    for (var row : rows) {
      for (var id : row.referencedAccounts()) {
        if (isErased(Erasure.key(id), there)) {
          var problem = row.key() + " names " + id + ", who was erased";
          drifts.add(new Drift(row.key(), problem, () -> erase(id, row)));
        }
      }
    }
    return drifts;
  }

  private static boolean isErased(Key erasure, RelatedRows there) {
    return there
        .get(erasure, Erasure.class)
        .filter(row -> row.step() == ErasureStep.ERASED)
        .isPresent();
  }

  private boolean erase(String id, Row row) {
    eraser.erase(id, List.of(row), true);
    return true;
  }
}
