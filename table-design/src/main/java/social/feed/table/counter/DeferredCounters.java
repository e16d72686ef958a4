package social.feed.table.counter;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.Ranked;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Changes of counters that could not be applied in the order of their shard, and are later. They
 * are left out first: the mark of {@link Counters} moves over them, so that their stream, when it
 * comes again, does not add what somebody else is to add, and a claim is made in the same
 * transaction. Taking the claim adds the change. Without one nothing is added: then the stream has
 * counted it after all, or somebody has counted anew since.
 */
public final class DeferredCounters {
  private final Table table;
  private final CelebrityRule rule;
  private final PendingCounts claims;
  private final DeferredRankings rankings;

  /**
   * @param rule sets and clears the flag of accounts with their followers
   * @param clock says when claims expire
   */
  public DeferredCounters(Table table, CelebrityRule rule, Clock clock) {
    this.table = table;
    this.rule = rule;
    this.claims = new PendingCounts(table, clock);
    this.rankings = new DeferredRankings(table, claims);
  }

  /**
   * Moves the marks of items over changes of one shard without adding them, and notes that they are
   * still to be added. One read unit for 4 KB of each item, two write units a KB of it and two for
   * the claim; an absent item stays absent, but for a row of a ranking, and one whose mark has
   * passed stays as it is. The item need not be complete.
   *
   * @param changes for each item those that cannot be applied; everything before them is
   * @throws ThrottledException when others keep changing the same item
   */
  public void leaveOut(String shardId, Map<Key, List<CountChange>> changes) {
    changes.forEach(
        (key, ofItem) ->
            Ranked.of(key, shardId)
                .ifPresentOrElse(
                    row -> ofItem.forEach(change -> rankings.leaveOut(shardId, row, change)),
                    () -> ofItem.forEach(change -> leaveOut(shardId, key, change))));
  }

  private void leaveOut(String shardId, Key key, CountChange change) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var item = table.get(key);
      if (item.isEmpty() || ShardCheckpoints.of(item.get()).isCovered(shardId, change)) {
        return;
      }
      var recounted = PendingCounts.recounted(item.get(), change.attribute());
      var move = move(item.get(), shardId, change.sequenceNumber(), recounted);
      var reasons =
          claims.refused(
              update(move.tableName(table.name()).key(KeyAttributes.of(key)).build()),
              claims.make(PendingCounts.owed(shardId, key, change), recounted));
      if (reasons.isEmpty()) {
        return;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Mark of " + key, 1, table.backoff().attempts());
  }

  /**
   * What somebody has put in the place of the marks would keep them from being written for ever.
   */
  private static Update.Builder move(
      Map<String, AttributeValue> item, String shardId, String last, RecountVersion recounted) {
    var names = new HashMap<>(Map.of("#marks", Counted.MARKS));
    var values = new HashMap<String, AttributeValue>();
    var marks = item.get(Counted.MARKS);
    String set = "#marks.#shard = :last";
    String unchanged;
    if (marks != null && marks.hasM()) {
      names.put("#shard", shardId);
      values.put(":last", AttributeValue.fromS(last));
      var mark = marks.m().get(shardId);
      if (mark != null) {
        values.put(":mark", mark);
      }
      unchanged = mark == null ? "attribute_not_exists(#marks.#shard)" : "#marks.#shard = :mark";
    } else {
      set = "#marks = :marks";
      values.put(":marks", AttributeValue.fromM(Map.of(shardId, AttributeValue.fromS(last))));
      if (marks != null) {
        values.put(":mark", marks);
      }
      unchanged = marks == null ? "attribute_not_exists(#marks)" : "#marks = :mark";
    }
    var condition = Conditions.PRESENT + " AND " + unchanged + recounted.unchanged(names, values);
    return Update.builder()
        .updateExpression("SET " + set)
        .conditionExpression(condition)
        .expressionAttributeNames(names)
        .expressionAttributeValues(values);
  }

  /**
   * Applies a change that was left out, once. One read unit for 4 KB of the item, two write units a
   * KB of it and two for the claim.
   *
   * @param shardId the shard that the change came from
   * @return whether it was added now; not when there is no claim (any more), or the item is not
   *     there and is none of a ranking
   * @throws ThrottledException when others keep changing the same item
   * @throws IllegalStateException when the item lacks the counter, or when nobody has left the
   *     change out yet, so that the stream is to bring it again
   */
  public boolean apply(String shardId, Key key, CountChange change) {
    return Ranked.of(key, shardId)
        .map(row -> rankings.apply(shardId, row, change))
        .orElseGet(() -> count(shardId, key, change));
  }

  private boolean count(String shardId, Key key, CountChange change) {
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var item = table.get(key);
      if (item.isEmpty()) {
        return false;
      }
      if (!item.get().containsKey(change.attribute())) {
        throw new IllegalStateException(key + " lacks " + change.attribute());
      }
      var recounted = PendingCounts.recounted(item.get(), change.attribute());
      var state = CountedState.of(item.get());
      var update = new CountUpdate(key, shardId, List.of(change), state, rule);
      var reasons =
          claims.refused(
              claims.take(PendingCounts.owed(shardId, key, change), recounted),
              update(update.inTransaction(table.name(), key, recounted)));
      if (reasons.isEmpty()) {
        return true;
      }
      if (TransactionCancellations.failedCondition(reasons.getFirst())) {
        ShardCheckpoints.of(item.get()).requirePassed(shardId, key, change);
        return false;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Late count of " + key, 1, table.backoff().attempts());
  }

  private static TransactWriteItem update(Update update) {
    return TransactWriteItem.builder().update(update).build();
  }
}
