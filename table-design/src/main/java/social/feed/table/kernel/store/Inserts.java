package social.feed.table.kernel.store;

import java.util.Optional;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.row.Row;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** Puts that never replace anything. */
public final class Inserts<R extends Record & Row> {
  private final DynamoDbTable<R> rows;
  private final RecordSchema<R> schema;
  private final Class<R> type;

  public Inserts(Table table, Class<R> type) {
    this.rows = table.of(type);
    this.schema = RecordSchema.of(type);
    this.type = type;
  }

  /**
   * Puts a row where there is none. One write unit, and one for each index that holds the row; one
   * when refused.
   *
   * @return the row that was there before, which came back in the same call, or empty when this one
   *     was written
   */
  public Optional<R> putIfAbsent(R row) {
    var request =
        PutItemEnhancedRequest.builder(type)
            .item(row)
            .conditionExpression(Conditions.absent())
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    try {
      rows.putItem(request);
      return Optional.empty();
    } catch (ConditionalCheckFailedException e) {
      return Optional.of(schema.mapToItem(e.item()));
    }
  }
}
