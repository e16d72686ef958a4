package social.feed.table.kernel.store;

import static social.feed.table.kernel.store.Condition.absent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/**
 * Imports rows in bulk. Up to a hundred go in one transaction, each on condition that it is new. So
 * an import never replaces a row, and a run that was stopped can run again.
 */
public final class BulkInsert {
  /** DynamoDB's limit on the items of a transaction. */
  public static final int MAX_ROWS = Transaction.MAX_WRITES;

  private final Table table;

  public BulkInsert(Table table) {
    this.table = table;
  }

  /**
   * Writes groups of new rows. A group is written whole or not at all: one that has a row in the
   * table already is left out. Two write units a row, and one for each index that holds it.
   *
   * @param groups each of a few rows, no key twice
   * @return the groups that were written
   * @throws ThrottledException when concurrent writes keep changing the same rows
   */
  public <G extends List<? extends Row>> List<G> adopt(List<G> groups) {
    var written = new ArrayList<G>();
    var batch = new ArrayList<G>();
    int rows = 0;
    for (var group : groups) {
      if (rows + group.size() > MAX_ROWS) {
        written.addAll(adoptBatch(batch));
        batch.clear();
        rows = 0;
      }
      batch.add(group);
      rows += group.size();
    }
    written.addAll(adoptBatch(batch));
    return written;
  }

  private <G extends List<? extends Row>> List<G> adoptBatch(List<G> batch) {
    return table
        .retry()
        .until(
            "Import of " + batch.size() + " groups of rows",
            attempt -> {
              // Most imports meet no row, so the first attempt reads nothing.
              var missing = attempt == 1 ? batch : missing(batch);
              return missing.isEmpty() || insert(missing) ? Optional.of(missing) : Optional.empty();
            });
  }

  private boolean insert(List<? extends List<? extends Row>> groups) {
    var transaction = table.transaction();
    groups.forEach(group -> group.forEach(row -> transaction.put(row, absent())));
    return transaction.commit().isDone();
  }

  private <G extends List<? extends Row>> List<G> missing(List<G> groups) {
    var keys = groups.stream().flatMap(List::stream).map(Row::key).toList();
    var stored = new HashSet<Key>();
    table.getAll(keys, true).forEach(row -> stored.add(row.key()));
    return groups.stream()
        .filter(group -> group.stream().noneMatch(row -> stored.contains(row.key())))
        .toList();
  }
}
