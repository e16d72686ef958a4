package social.feed.table.kernel.idempotency;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.atMost;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/**
 * Requests that must happen once. The rows that a request creates are written together with its
 * record or not at all. So a retry, even a concurrent one or one after a crash, either creates the
 * rows or finds the answer. A late retry cannot bring back a row that was deleted since.
 */
public final class IdempotencyRecords {
  private static final RecordSchema<IdempotencyRecord> SCHEMA =
      RecordSchema.of(IdempotencyRecord.class);

  private final Table table;
  private final Clock clock;

  public IdempotencyRecords(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /**
   * Returns the record of a key, strongly consistent. One read unit. An expired record counts as
   * absent.
   */
  public Optional<IdempotencyRecord> find(String userId, String requestKey) {
    return table
        .get(IdempotencyRecord.key(userId, requestKey))
        .map(SCHEMA::mapToItem)
        .filter(record -> record.expiresAt() > now());
  }

  /** As {@link #insert(IdempotencyRecord, List, List, UnaryOperator)}, without forbidden keys. */
  public Recording insert(IdempotencyRecord record, List<? extends Row> rows) {
    return insert(record, rows, List.of(), UnaryOperator.identity());
  }

  /**
   * Writes the rows that a request creates with its record. Two write units a row and KB, and one
   * for each index that holds it. An expired record counts as absent.
   *
   * @param rows all new
   * @param forbidden keys that must have no item; two write units each
   * @param more adds other writes to the transaction
   * @throws ThrottledException when the transaction keeps meeting others
   */
  public Recording insert(
      IdempotencyRecord record,
      List<? extends Row> rows,
      List<Key> forbidden,
      UnaryOperator<Transaction> more) {
    return table
        .retry()
        .until(
            "A request with an idempotency key", () -> tryToInsert(record, rows, forbidden, more));
  }

  /** Empty after a conflict with another transaction, which does not say which one came first. */
  private Optional<Recording> tryToInsert(
      IdempotencyRecord record,
      List<? extends Row> rows,
      List<Key> forbidden,
      UnaryOperator<Transaction> more) {
    var transaction =
        table.transaction().put(record, absent().or(atMost(BaseTable.TTL, now())).returningItem());
    rows.forEach(row -> transaction.put(row, absent()));
    forbidden.forEach(key -> transaction.check(key, absent()));
    var outcome = more.apply(transaction).commit();
    if (outcome.isDone()) {
      return Optional.of(new Recording.Written());
    }
    var before = outcome.existing(record.key());
    if (before.isPresent()) {
      return before.map(SCHEMA::mapToItem).<Recording>map(Recording.KeyTaken::new);
    }
    return outcome.hasFailedCondition() ? Optional.of(new Recording.RowTaken()) : Optional.empty();
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
