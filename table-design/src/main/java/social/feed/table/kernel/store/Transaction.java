package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Writes that happen together or not at all, at most 100, none two at one key. Sent in the order in
 * which they are added. Each write counts two write units a KB, and one for each index that holds
 * the row.
 */
public final class Transaction {
  /** DynamoDB's limit on the writes of a transaction. */
  public static final int MAX_WRITES = 100;

  private static final String CONDITION = "ConditionalCheckFailed";
  private static final String NONE = "None";

  /** The codes of concurrent writes and throttling. The SDK repeats no transaction. */
  private static final Set<String> TRANSIENT =
      Set.of("TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded");

  private final Table table;
  private final List<TransactWriteItem> writes = new ArrayList<>();
  private final List<Key> keys = new ArrayList<>();

  Transaction(Table table) {
    this.table = table;
  }

  /** Writes a row, whether there is one or not. */
  public Transaction put(Row row) {
    return put(row, Condition.none());
  }

  /** Writes a row on a condition on the one that is there. */
  public Transaction put(Row row, Condition condition) {
    return add(
        row.key(),
        TransactWriteItem.builder()
            .put(
                p ->
                    p.tableName(table.name())
                        .item(RowCodec.encode(row))
                        .conditionExpression(condition.text())
                        .expressionAttributeNames(condition.names(Map.of()))
                        .expressionAttributeValues(condition.values(Map.of()))
                        .returnValuesOnConditionCheckFailure(condition.onFailure())));
  }

  /** Updates an item. Without {@link Condition#present()} the update may create it. */
  public Transaction update(Key key, Update update, Condition condition) {
    return add(
        key,
        TransactWriteItem.builder()
            .update(
                u ->
                    u.tableName(table.name())
                        .key(KeyAttributes.of(key))
                        .updateExpression(update.text())
                        .conditionExpression(condition.text())
                        .expressionAttributeNames(condition.names(update.names()))
                        .expressionAttributeValues(condition.values(update.values()))
                        .returnValuesOnConditionCheckFailure(condition.onFailure())));
  }

  /** Deletes the item at a key; there may be none. */
  public Transaction delete(Key key) {
    return delete(key, Condition.none());
  }

  /** Deletes the item at a key on a condition. */
  public Transaction delete(Key key, Condition condition) {
    return add(
        key,
        TransactWriteItem.builder()
            .delete(
                d ->
                    d.tableName(table.name())
                        .key(KeyAttributes.of(key))
                        .conditionExpression(condition.text())
                        .expressionAttributeNames(condition.names(Map.of()))
                        .expressionAttributeValues(condition.values(Map.of()))
                        .returnValuesOnConditionCheckFailure(condition.onFailure())));
  }

  /** Writes nothing at a key, but makes the transaction depend on a condition there. */
  public Transaction check(Key key, Condition condition) {
    return add(
        key,
        TransactWriteItem.builder()
            .conditionCheck(
                c ->
                    c.tableName(table.name())
                        .key(KeyAttributes.of(key))
                        .conditionExpression(condition.text())
                        .expressionAttributeNames(condition.names(Map.of()))
                        .expressionAttributeValues(condition.values(Map.of()))
                        .returnValuesOnConditionCheckFailure(condition.onFailure())));
  }

  /**
   * Sends the writes.
   *
   * @throws IllegalStateException when one of them is invalid, so that no retry can succeed
   */
  public WriteOutcome commit() {
    try {
      table.client().transactWriteItems(t -> t.transactItems(writes));
      return WriteOutcome.done();
    } catch (TransactionCanceledException e) {
      return outcome(e);
    }
  }

  private WriteOutcome outcome(TransactionCanceledException e) {
    var reasons = e.cancellationReasons();
    if (!reasons.stream().allMatch(Transaction::isExpected)) {
      throw new IllegalStateException(
          "A transaction that can never succeed: " + withoutItems(reasons), e);
    }
    var failed = new HashMap<Key, Map<String, AttributeValue>>();
    for (int i = 0; i < reasons.size(); i++) {
      var reason = reasons.get(i);
      if (CONDITION.equals(reason.code())) {
        failed.put(keys.get(i), reason.hasItem() ? reason.item() : Map.of());
      }
    }
    return new WriteOutcome(false, failed);
  }

  /** Returns the code of each reason, with the hash of its item. A reason itself has the item. */
  private String withoutItems(List<CancellationReason> reasons) {
    return IntStream.range(0, reasons.size())
        .filter(i -> !NONE.equals(reasons.get(i).code()))
        .mapToObj(i -> reasons.get(i).code() + " at " + Pseudonyms.ofItem(keys.get(i)))
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns whether the same write may succeed later, because it met a concurrent transaction or
   * throttling.
   */
  public static boolean isTransient(CancellationReason reason) {
    return reason.code() != null && TRANSIENT.contains(reason.code());
  }

  /** Returns whether another attempt, or other values, can succeed. */
  private static boolean isExpected(CancellationReason reason) {
    return isTransient(reason) || CONDITION.equals(reason.code()) || NONE.equals(reason.code());
  }

  private Transaction add(Key key, TransactWriteItem.Builder write) {
    keys.add(key);
    writes.add(write.build());
    return this;
  }
}
