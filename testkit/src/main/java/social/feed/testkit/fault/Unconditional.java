package social.feed.testkit.fault;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Makes the conditions of some writes in transactions always hold, as a planted bug.
 *
 * @param which selects the items by their keys
 */
public record Unconditional(Predicate<Key> which) implements Wire {
  private static final String ALWAYS =
      "%%s OR attribute_exists(%1$s) OR attribute_not_exists(%1$s)".formatted(BaseTable.PK);

  @Override
  @SuppressWarnings("unchecked") // A rebuilt request has the type of the original.
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    return table.apply(
        request instanceof TransactWriteItemsRequest transaction
            ? (Q)
                transaction.toBuilder()
                    .transactItems(
                        transaction.transactItems().stream().map(this::unconditional).toList())
                    .build()
            : request);
  }

  private TransactWriteItem unconditional(TransactWriteItem write) {
    var put = write.put();
    if (put != null) {
      var condition = always(put.item(), put.conditionExpression());
      return TransactWriteItem.builder()
          .put(put.toBuilder().conditionExpression(condition).build())
          .build();
    }
    var update = write.update();
    if (update != null) {
      var condition = always(update.key(), update.conditionExpression());
      return TransactWriteItem.builder()
          .update(update.toBuilder().conditionExpression(condition).build())
          .build();
    }
    var delete = write.delete();
    if (delete != null) {
      var condition = always(delete.key(), delete.conditionExpression());
      return TransactWriteItem.builder()
          .delete(delete.toBuilder().conditionExpression(condition).build())
          .build();
    }
    var check = write.conditionCheck();
    var condition = always(check.key(), check.conditionExpression());
    return TransactWriteItem.builder()
        .conditionCheck(check.toBuilder().conditionExpression(condition).build())
        .build();
  }

  /** Keeps the condition, so that the request still uses each of its names and values. */
  private @Nullable String always(Map<String, AttributeValue> item, @Nullable String condition) {
    return condition != null && which.test(KeyAttributes.key(item))
        ? ALWAYS.formatted(condition)
        : condition;
  }
}
