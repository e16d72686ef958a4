package social.feed.table.counter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.row.Counted;
import social.feed.table.row.EffectMark;
import social.feed.table.row.Key;
import social.feed.table.row.Ranked;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.schema.RowCodec;
import social.feed.table.store.Cancellations;
import social.feed.table.store.Conditions;
import social.feed.table.store.Table;
import social.feed.table.store.ThrottledException;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Changes of counters that could not be applied in the order of their shard, and are later. They
 * are left out first: the mark of {@link Counters} moves over them, so that their stream, when it
 * comes again, does not add what somebody else is to add. Then they are applied, once, in a
 * transaction with a proof.
 */
public final class LateCounts {
  private final Table table;
  private final CelebrityRule rule;
  private final Rankings rankings;

  /**
   * @param rule sets and clears the flag of accounts with their followers
   */
  public LateCounts(Table table, CelebrityRule rule) {
    this.table = table;
    this.rule = rule;
    this.rankings = new Rankings(table);
  }

  /**
   * Moves the marks of items over changes of one shard without adding them. One read and one write
   * unit a KB of each item; an absent item stays absent, but for a row of a ranking. The item need
   * not be complete.
   *
   * @param changes for each item those that cannot be applied; everything before them is
   * @throws ThrottledException when others keep changing the same item
   */
  public void leaveOut(String shardId, Map<Key, List<CountChange>> changes) {
    changes.forEach(
        (key, ofItem) ->
            Ranked.of(key, shardId)
                .ifPresentOrElse(
                    row -> rankings.leaveOut(shardId, row, ofItem.getLast()),
                    () -> leaveOut(shardId, key, ofItem.getLast())));
  }

  private void leaveOut(String shardId, Key key, CountChange last) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var item = table.get(key);
      if (item.isEmpty() || isCovered(item.get(), shardId, last)) {
        return;
      }
      try {
        table.client().updateItem(move(key, item.get(), shardId, last.sequenceNumber()));
        return;
      } catch (ConditionalCheckFailedException e) {
        table.backoff().await(attempt);
      }
    }
    throw new ThrottledException("Mark of " + key, 1, table.backoff().attempts());
  }

  private static boolean isCovered(
      Map<String, AttributeValue> item, String shardId, CountChange last) {
    return ShardMarks.of(item).of(shardId).filter(mark -> !last.isAfter(mark)).isPresent();
  }

  private UpdateItemRequest move(
      Key key, Map<String, AttributeValue> item, String shardId, String last) {
    return (item.containsKey(Counted.MARKS)
            ? moved(ShardMarks.of(item).of(shardId), shardId, AttributeValue.fromS(last))
            : first(shardId, AttributeValue.fromS(last)))
        .tableName(table.name())
        .key(KeyAttributes.of(key))
        .build();
  }

  private static UpdateItemRequest.Builder moved(
      Optional<String> mark, String shardId, AttributeValue last) {
    var values = new HashMap<String, AttributeValue>(Map.of(":last", last));
    mark.ifPresent(m -> values.put(":mark", AttributeValue.fromS(m)));
    var unchanged =
        mark.isPresent() ? "#marks.#shard = :mark" : "attribute_not_exists(#marks.#shard)";
    return UpdateItemRequest.builder()
        .updateExpression("SET #marks.#shard = :last")
        .conditionExpression(Conditions.PRESENT + " AND " + unchanged)
        .expressionAttributeNames(Map.of("#marks", Counted.MARKS, "#shard", shardId))
        .expressionAttributeValues(values);
  }

  private static UpdateItemRequest.Builder first(String shardId, AttributeValue last) {
    return UpdateItemRequest.builder()
        .updateExpression("SET #marks = :marks")
        .conditionExpression(Conditions.PRESENT + " AND attribute_not_exists(#marks)")
        .expressionAttributeNames(Map.of("#marks", Counted.MARKS))
        .expressionAttributeValues(Map.of(":marks", AttributeValue.fromM(Map.of(shardId, last))));
  }

  /**
   * Applies a change, once a proof. Where the mark has not passed it, it moves there in the same
   * transaction, so that the stream does not add it again. One read unit for 4 KB of the item, two
   * write units a KB of it and two for the proof.
   *
   * @param shardId the shard that the change came from; everything before it there was handled
   * @return whether it was added now; not when the proof is there, or the item is not and is none
   *     of a ranking
   * @throws ThrottledException when others keep changing the same item
   * @throws IllegalStateException when the item lacks the counter or its marks
   */
  public boolean apply(EffectMark proof, String shardId, Key key, CountChange change) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var part = part(shardId, key, change);
      if (part.isEmpty()) {
        return false;
      }
      try {
        table.client().transactWriteItems(t -> t.transactItems(put(proof), part.get()));
        return true;
      } catch (TransactionCanceledException e) {
        var ofProof = Cancellations.requirePassing(e).getFirst().code();
        if ("ConditionalCheckFailed".equals(ofProof)) {
          return false;
        }
        table.backoff().await(attempt);
      }
    }
    throw new ThrottledException("Effect " + proof.name(), 1, table.backoff().attempts());
  }

  private Optional<TransactWriteItem> part(String shardId, Key key, CountChange change) {
    var ranked = Ranked.of(key, shardId);
    if (ranked.isPresent()) {
      var put = rankings.late(shardId, ranked.get(), change);
      return Optional.of(TransactWriteItem.builder().put(put).build());
    }
    return table.get(key).map(item -> counted(shardId, key, item, change));
  }

  private TransactWriteItem counted(
      String shardId, Key key, Map<String, AttributeValue> item, CountChange change) {
    if (!item.containsKey(change.attribute())) {
      throw new IllegalStateException(key + " lacks " + change.attribute());
    }
    var update = new CountUpdate(key, shardId, List.of(change), CountedState.of(item), rule);
    return TransactWriteItem.builder().update(update.inTransaction(table.name(), key)).build();
  }

  private TransactWriteItem put(EffectMark proof) {
    var put =
        Put.builder()
            .tableName(table.name())
            .item(RowCodec.encode(proof))
            .conditionExpression(Conditions.ABSENT)
            .build();
    return TransactWriteItem.builder().put(put).build();
  }
}
