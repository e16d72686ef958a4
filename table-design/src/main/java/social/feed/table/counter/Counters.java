package social.feed.table.counter;

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
 * read.
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
    var marks = marks(shardId, changes);
    // An item that this read did not see may be a new one that the read was too early for.
    changes.forEach(
        (key, ofItem) -> apply(key, shardId, ofItem, marks.getOrDefault(key, Optional.empty())));
  }

  /** For each item that is there its mark, empty when it has none for the shard. */
  private Map<Key, Optional<String>> marks(String shardId, Map<Key, List<CountChange>> changes) {
    var marks = new HashMap<Key, Optional<String>>();
    for (var row : table.getAll(changes.keySet(), false)) {
      if (row instanceof Counted counted) {
        marks.put(row.key(), Optional.ofNullable(counted.marks().get(shardId)));
      }
    }
    return marks;
  }

  private void apply(
      Key key, String shardId, List<CountChange> changes, Optional<String> markRead) {
    var mark = markRead;
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var left = behind(mark, changes);
      if (left.isEmpty()) {
        return;
      }
      try {
        table.client().updateItem(update(key, shardId, left, mark));
        return;
      } catch (ConditionalCheckFailedException e) {
        if (!e.hasItem()) {
          return;
        }
        mark = markIn(e.item(), shardId);
      }
    }
    throw new ThrottledException("Counters at " + key, changes.size(), table.backoff().attempts());
  }

  private static List<CountChange> behind(Optional<String> mark, List<CountChange> changes) {
    return mark.map(m -> changes.stream().filter(c -> c.isAfter(m)).toList()).orElse(changes);
  }

  private static Optional<String> markIn(Map<String, AttributeValue> item, String shardId) {
    var marks = item.get(Counted.MARKS);
    return marks == null
        ? Optional.empty()
        : Optional.ofNullable(marks.m().get(shardId)).map(AttributeValue::s);
  }

  private UpdateItemRequest update(
      Key key, String shardId, List<CountChange> changes, Optional<String> mark) {
    var names = new HashMap<String, String>(Map.of("#marks", Counted.MARKS, "#shard", shardId));
    var values = new HashMap<String, AttributeValue>();
    values.put(":last", AttributeValue.fromS(changes.getLast().sequenceNumber()));
    mark.ifPresent(m -> values.put(":mark", AttributeValue.fromS(m)));
    var sets = new StringBuilder("SET #marks.#shard = :last");
    sums(changes)
        .forEach(
            (attribute, delta) -> {
              names.put("#" + attribute, attribute);
              values.put(":" + attribute, AttributeValue.fromN(Long.toString(delta)));
              sets.append(", #%1$s = #%1$s + :%1$s".formatted(attribute));
            });
    return UpdateItemRequest.builder()
        .tableName(table.name())
        .key(KeyAttributes.of(key))
        .updateExpression(sets.toString())
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

  private static Map<String, Long> sums(List<CountChange> changes) {
    var sums = new LinkedHashMap<String, Long>();
    changes.forEach(change -> sums.merge(change.attribute(), change.delta(), Long::sum));
    return sums;
  }
}
