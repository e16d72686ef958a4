package social.feed.table.counter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.store.Conditions;
import social.feed.table.store.Table;
import social.feed.table.store.ThrottledException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Counters that a replay cannot move. Beside its counters an item keeps, for each shard of the
 * stream, the sequence number up to which they cover it. A batch adds what lies behind the mark and
 * moves the mark in the same update, on condition that the mark still is exactly the one that was
 * read. Marks of shards long gone are dropped when a new shard gets its first.
 *
 * <p>Sound while a shard's records arrive in order, one batch at a time, none of them left out; and
 * while every change of a counter comes from one partition key.
 */
public final class Counters {
  private final Table table;

  public Counters(Table table) {
    this.table = table;
  }

  /**
   * Applies changes of one shard to their items. Half a read unit for each 4 KB of an item, and one
   * write unit a KB of each item that changes, however many changes it has; no index is written.
   *
   * @param shardId the shard that all changes come from
   * @param changes for each item its changes in the order of the stream; an absent item stays
   *     absent
   * @throws ThrottledException when others keep changing the same item
   */
  public void apply(String shardId, Map<Key, List<CountChange>> changes) {
    var marks = marks(changes.keySet());
    // An item that this read did not see may be a new one that the read was too early for.
    changes.forEach(
        (key, ofItem) -> apply(key, shardId, ofItem, marks.getOrDefault(key, ShardMarks.NONE)));
  }

  /** The marks of each item that is there. */
  private Map<Key, ShardMarks> marks(Collection<Key> keys) {
    var marks = new HashMap<Key, ShardMarks>();
    for (var row : table.getAll(keys, false)) {
      if (row instanceof Counted counted) {
        marks.put(row.key(), new ShardMarks(counted.marks()));
      }
    }
    return marks;
  }

  private void apply(Key key, String shardId, List<CountChange> changes, ShardMarks marksRead) {
    var marks = marksRead;
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var left = behind(marks.of(shardId), changes);
      if (left.isEmpty()) {
        return;
      }
      try {
        table.client().updateItem(update(key, shardId, left, marks));
        return;
      } catch (ConditionalCheckFailedException e) {
        if (!e.hasItem()) {
          return;
        }
        marks = marksIn(e.item());
      }
    }
    throw new ThrottledException("Counters at " + key, changes.size(), table.backoff().attempts());
  }

  private static List<CountChange> behind(Optional<String> mark, List<CountChange> changes) {
    return mark.map(m -> changes.stream().filter(c -> c.isAfter(m)).toList()).orElse(changes);
  }

  private static ShardMarks marksIn(Map<String, AttributeValue> item) {
    var byShard = new HashMap<String, String>();
    var marks = item.get(Counted.MARKS);
    if (marks != null) {
      marks.m().forEach((shard, mark) -> byShard.put(shard, mark.s()));
    }
    return new ShardMarks(byShard);
  }

  private UpdateItemRequest update(
      Key key, String shardId, List<CountChange> changes, ShardMarks marks) {
    var mark = marks.of(shardId);
    var names = new HashMap<String, String>(Map.of("#marks", Counted.MARKS, "#shard", shardId));
    var values = new HashMap<String, AttributeValue>();
    values.put(":last", AttributeValue.fromS(changes.getLast().sequenceNumber()));
    mark.ifPresent(m -> values.put(":mark", AttributeValue.fromS(m)));
    var update = new StringBuilder("SET #marks.#shard = :last");
    sums(changes)
        .forEach(
            (attribute, delta) -> {
              names.put("#" + attribute, attribute);
              values.put(":" + attribute, AttributeValue.fromN(Long.toString(delta)));
              update.append(", #%1$s = #%1$s + :%1$s".formatted(attribute));
            });
    update.append(removal(marks.outdatedBy(shardId), names));
    return UpdateItemRequest.builder()
        .tableName(table.name())
        .key(KeyAttributes.of(key))
        .updateExpression(update.toString())
        .conditionExpression(
            Conditions.PRESENT
                + (mark.isPresent()
                    ? " AND #marks.#shard = :mark"
                    : " AND attribute_not_exists(#marks.#shard)"))
        .expressionAttributeNames(names)
        .expressionAttributeValues(values)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .build();
  }

  private static String removal(List<String> shards, Map<String, String> names) {
    var paths = new ArrayList<String>();
    for (var shard : shards) {
      var name = "#old" + paths.size();
      names.put(name, shard);
      paths.add("#marks." + name);
    }
    return paths.isEmpty() ? "" : " REMOVE " + String.join(", ", paths);
  }

  private static Map<String, Long> sums(List<CountChange> changes) {
    var sums = new LinkedHashMap<String, Long>();
    changes.forEach(change -> sums.merge(change.attribute(), change.delta(), Long::sum));
    return sums;
  }
}
