package social.feed.table.idempotency;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import social.feed.table.declaration.BaseTable;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.schema.RecordSchema;
import social.feed.table.schema.RowCodec;
import social.feed.table.store.Conditions;
import social.feed.table.store.SetExpression;
import social.feed.table.store.Table;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Requests that must happen once. The first one reserves the id and the time of what it creates; a
 * retry, also one that runs at the same moment, finds them and writes the same item; once the
 * answer is recorded, a retry only repeats it.
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
   * Reserves a request key. One write unit. An expired record counts as absent.
   *
   * @return the record that had the key before, or empty when this one has it now
   */
  public Optional<IdempotencyRecord> reserve(IdempotencyRecord reservation) {
    var now = AttributeValue.fromN(Long.toString(clock.instant().getEpochSecond()));
    try {
      table
          .client()
          .putItem(
              p ->
                  p.tableName(table.name())
                      .item(RowCodec.encode(reservation))
                      .conditionExpression(Conditions.ABSENT + " OR #ttl <= :now")
                      .expressionAttributeNames(Map.of("#ttl", BaseTable.TTL))
                      .expressionAttributeValues(Map.of(":now", now))
                      .returnValuesOnConditionCheckFailure(
                          ReturnValuesOnConditionCheckFailure.ALL_OLD));
      return Optional.empty();
    } catch (ConditionalCheckFailedException e) {
      return Optional.of(SCHEMA.mapToItem(e.item()));
    }
  }

  /** Records the answer of a reserved request. One write unit a KB. */
  public void complete(String userId, String requestKey, int status, String body) {
    var update =
        new SetExpression()
            .set(IdempotencyRecord.STATUS, AttributeValue.fromN(Integer.toString(status)))
            .set(IdempotencyRecord.BODY, AttributeValue.fromS(body));
    try {
      table
          .client()
          .updateItem(
              update
                  .request()
                  .tableName(table.name())
                  .key(KeyAttributes.of(IdempotencyRecord.key(userId, requestKey)))
                  .build());
    } catch (ConditionalCheckFailedException e) {
      // Expired and removed meanwhile: there is nothing left that a retry could find.
      return;
    }
  }
}
