package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Takes rows over from elsewhere in bulk. Up to a hundred go in one transaction, each on condition
 * that it is new, so nothing that is there is ever replaced, and a run that was stopped can be run
 * again.
 */
public final class BulkInsert {
  /** DynamoDB's bound on the items of a transaction. */
  public static final int MAX_ROWS = 100;

  private final Table table;

  public BulkInsert(Table table) {
    this.table = table;
  }

  /**
   * Writes groups of rows that are new; a group is all or nothing, and one with a row that is there
   * already is left out. Two write units a row, and one for each index that holds it.
   *
   * @param groups each of a few rows, no key twice
   * @return the groups that were written
   * @throws ThrottledException when others keep writing the same rows
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
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var fresh = attempt == 1 ? List.copyOf(batch) : fresh(batch);
      if (fresh.isEmpty()) {
        return fresh;
      }
      try {
        var puts = fresh.stream().flatMap(List::stream).map(this::put).toList();
        table.client().transactWriteItems(t -> t.transactItems(puts));
        return fresh;
      } catch (TransactionCanceledException e) {
        TransactionCancellations.requirePassing(e);
        table.backoff().await(attempt);
      }
    }
    throw new ThrottledException("Adoption", batch.size(), table.backoff().attempts());
  }

  private <G extends List<? extends Row>> List<G> fresh(List<G> groups) {
    var keys = groups.stream().flatMap(List::stream).map(Row::key).toList();
    var there = new HashSet<Key>();
    table.getAll(keys, true).forEach(row -> there.add(row.key()));
    return groups.stream()
        .filter(group -> group.stream().noneMatch(row -> there.contains(row.key())))
        .toList();
  }

  private TransactWriteItem put(Row row) {
    Map<String, AttributeValue> item = RowCodec.encode(row);
    var put =
        Put.builder()
            .tableName(table.name())
            .item(item)
            .conditionExpression(Conditions.ABSENT)
            .build();
    return TransactWriteItem.builder().put(put).build();
  }
}
