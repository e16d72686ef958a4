package social.feed.table.kernel.idempotency;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Requests that must happen once. What a request creates is written together with its record or not
 * at all, so a retry, also one at the same moment or after a crash, either is the one that happens
 * or finds the answer; and nothing that was deleted since can come back through a late one.
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

  /** What a key answered for, strongly consistent. One read unit. An expired record is absent. */
  public Optional<IdempotencyRecord> find(String userId, String requestKey) {
    return table
        .get(IdempotencyRecord.key(userId, requestKey))
        .map(SCHEMA::mapToItem)
        .filter(record -> record.expiresAt() > now());
  }

  /** As {@link #insert(IdempotencyRecord, List, List)}, where nothing is forbidden. */
  public Recording insert(IdempotencyRecord record, List<? extends Row> rows) {
    return insert(record, rows, List.of());
  }

  /**
   * Writes what a request creates with its record. Two write units a row and KB, and one for each
   * index that holds it. An expired record counts as absent.
   *
   * @param rows all new
   * @param forbidden where nothing may be; two write units each
   * @throws ThrottledException when other transactions keep meeting this one
   */
  public Recording insert(IdempotencyRecord record, List<? extends Row> rows, List<Key> forbidden) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      try {
        var writes = writes(record, rows);
        forbidden.forEach(key -> writes.add(absent(key)));
        table.client().transactWriteItems(t -> t.transactItems(writes));
        return new Recording.Written();
      } catch (TransactionCanceledException e) {
        var refusal = refusal(TransactionCancellations.requirePassing(e));
        if (refusal.isPresent()) {
          return refusal.get();
        }
        table.backoff().await(attempt);
      }
    }
    throw new ThrottledException("Request " + record.key(), 1, table.backoff().attempts());
  }

  /** Empty after a conflict with another transaction, which says nothing about who is first. */
  private static Optional<Recording> refusal(List<CancellationReason> reasons) {
    if (reasons.getFirst().hasItem()) {
      return Optional.of(new Recording.KeyTaken(SCHEMA.mapToItem(reasons.getFirst().item())));
    }
    return reasons.stream().anyMatch(TransactionCancellations::failedCondition)
        ? Optional.of(new Recording.RowTaken())
        : Optional.empty();
  }

  private List<TransactWriteItem> writes(IdempotencyRecord record, List<? extends Row> rows) {
    var writes = new ArrayList<TransactWriteItem>();
    var now = AttributeValue.fromN(Long.toString(now()));
    writes.add(
        put(
            Put.builder()
                .item(RowCodec.encode(record))
                .conditionExpression(Conditions.ABSENT + " OR #ttl <= :now")
                .expressionAttributeNames(Map.of("#ttl", BaseTable.TTL))
                .expressionAttributeValues(Map.of(":now", now))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)));
    for (var row : rows) {
      writes.add(
          put(Put.builder().item(RowCodec.encode(row)).conditionExpression(Conditions.ABSENT)));
    }
    return writes;
  }

  private TransactWriteItem absent(Key key) {
    return TransactWriteItem.builder()
        .conditionCheck(
            ConditionCheck.builder()
                .tableName(table.name())
                .key(KeyAttributes.of(key))
                .conditionExpression(Conditions.ABSENT)
                .build())
        .build();
  }

  private TransactWriteItem put(Put.Builder put) {
    return TransactWriteItem.builder().put(put.tableName(table.name()).build()).build();
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
