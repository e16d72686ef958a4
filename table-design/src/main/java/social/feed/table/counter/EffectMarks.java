package social.feed.table.counter;

import java.util.List;
import java.util.Map;
import social.feed.table.row.EffectMark;
import social.feed.table.row.Key;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.schema.RowCodec;
import social.feed.table.store.Cancellations;
import social.feed.table.store.Conditions;
import social.feed.table.store.Table;
import social.feed.table.store.ThrottledException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Counter changes whose causes lie in many partitions: each is applied in one transaction with a
 * mark that says so, and a mark that is there already refuses it.
 */
public final class EffectMarks {
  private static final String FAILED = "ConditionalCheckFailed";

  private final Table table;

  public EffectMarks(Table table) {
    this.table = table;
  }

  /**
   * Adds to a counter of an item, once a mark. Four write units; an absent item stays absent.
   *
   * @return whether it was added now
   * @throws ThrottledException when others keep changing the same items
   */
  public boolean addOnce(EffectMark mark, Key item, String attribute, long delta) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      try {
        table
            .client()
            .transactWriteItems(t -> t.transactItems(put(mark), add(item, attribute, delta)));
        return true;
      } catch (TransactionCanceledException e) {
        if (refused(Cancellations.requirePassing(e))) {
          return false;
        }
        table.backoff().await(attempt);
      }
    }
    throw new ThrottledException("Effect " + mark.name(), 1, table.backoff().attempts());
  }

  /** A refused condition is final: the mark is there, or the item is not. */
  private static boolean refused(List<CancellationReason> reasons) {
    return reasons.stream().anyMatch(reason -> FAILED.equals(reason.code()));
  }

  private TransactWriteItem put(EffectMark mark) {
    var put =
        Put.builder()
            .tableName(table.name())
            .item(RowCodec.encode(mark))
            .conditionExpression(Conditions.ABSENT)
            .build();
    return TransactWriteItem.builder().put(put).build();
  }

  private TransactWriteItem add(Key item, String attribute, long delta) {
    var update =
        Update.builder()
            .tableName(table.name())
            .key(KeyAttributes.of(item))
            .updateExpression("SET #counter = #counter + :delta")
            .conditionExpression(Conditions.PRESENT)
            .expressionAttributeNames(Map.of("#counter", attribute))
            .expressionAttributeValues(Map.of(":delta", AttributeValue.fromN(Long.toString(delta))))
            .build();
    return TransactWriteItem.builder().update(update).build();
  }
}
