package social.feed.table.counter;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Key;
import social.feed.table.row.Ranked;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Counts by which authors and tags are ranked, with the marks of {@link Counters}. The row is
 * created by its first count, and written whole on condition of its revision, since its place in an
 * index is made of all that is counted in it.
 */
final class RankedCounters {
  private final Table table;

  RankedCounters(Table table) {
    this.table = table;
  }

  /** Applies changes of one shard, which may be to several rows. */
  void apply(String shardId, Map<Ranked, List<CountChange>> changes) {
    var stored = stored(changes.keySet().stream().map(empty -> empty.row().key()).toList());
    changes.forEach(
        (empty, ofRow) ->
            apply(shardId, empty, stored.getOrDefault(empty.row().key(), empty), ofRow));
  }

  private Map<Key, Ranked> stored(List<Key> keys) {
    var stored = new HashMap<Key, Ranked>();
    for (var row : table.getAll(keys, false)) {
      if (row instanceof Ranked ranked) {
        stored.put(row.key(), ranked);
      }
    }
    return stored;
  }

  private void apply(String shardId, Ranked empty, Ranked read, List<CountChange> changes) {
    var row = read;
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var left = behind(row, shardId, changes);
      if (left.isEmpty()) {
        return;
      }
      var refusal = write(row, after(row, shardId, left));
      if (refusal.isEmpty()) {
        return;
      }
      row = refusal.get().orElse(empty);
    }
    throw new ThrottledException(
        "Ranking at " + empty.row().key(), changes.size(), table.backoff().attempts());
  }

  /** The row as it is, strongly consistent. */
  Ranked stored(Ranked empty) {
    return table.get(empty.row().key()).map(item -> (Ranked) RowCodec.decode(item)).orElse(empty);
  }

  private static List<CountChange> behind(Ranked row, String shardId, List<CountChange> changes) {
    return new ShardCheckpoints(row.marks())
        .of(shardId)
        .map(mark -> changes.stream().filter(change -> change.isAfter(mark)).toList())
        .orElse(changes);
  }

  /** The row when some changes were added to it. */
  static Ranked after(Ranked row, String shardId, List<CountChange> changes) {
    var sums = new LinkedHashMap<String, Long>();
    changes.forEach(change -> sums.merge(change.attribute(), change.delta(), Long::sum));
    return row.plus(sums, new ShardCheckpoints(row.marks()).moved(shardId, changes.getLast()));
  }

  /** Empty when it was written, or else the row that is there instead, if there is one. */
  private Optional<Optional<Ranked>> write(Ranked read, Ranked after) {
    var put = put(read, after);
    try {
      table
          .client()
          .putItem(
              p ->
                  p.tableName(put.tableName())
                      .item(put.item())
                      .conditionExpression(put.conditionExpression())
                      .expressionAttributeNames(put.expressionAttributeNames())
                      .expressionAttributeValues(put.expressionAttributeValues())
                      .returnValuesOnConditionCheckFailure(
                          ReturnValuesOnConditionCheckFailure.ALL_OLD));
      return Optional.empty();
    } catch (ConditionalCheckFailedException e) {
      return Optional.of(
          e.hasItem() ? Optional.of((Ranked) RowCodec.decode(e.item())) : Optional.empty());
    }
  }

  /** What writes a row in the place of what was read, as a part of a transaction. */
  Put put(Ranked read, Ranked after) {
    var put = Put.builder().tableName(table.name()).item(RowCodec.encode(after.row()));
    if (read.revision() == 0) {
      return put.conditionExpression(Conditions.ABSENT).build();
    }
    return put.conditionExpression("#revision = :revision")
        .expressionAttributeNames(Map.of("#revision", Ranked.REVISION))
        .expressionAttributeValues(
            Map.of(":revision", AttributeValue.fromN(Long.toString(read.revision()))))
        .build();
  }
}
