package social.feed.table.counter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The one update that applies a shard's changes to an item, on condition of what was read. */
final class CountUpdate {
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private final List<String> sets = new ArrayList<>();
  private final List<String> removes = new ArrayList<>();
  private String condition = Conditions.PRESENT;

  CountUpdate(
      Key item, String shardId, List<CountChange> changes, CountedState read, CelebrityRule rule) {
    var sums = sums(changes);
    sums.forEach(this::add);
    if (sums.containsKey(User.FOLLOWERS_COUNT)) {
      flag(read, sums.get(User.FOLLOWERS_COUNT), rule);
      stand(item, read.followers() + sums.get(User.FOLLOWERS_COUNT));
    }
    move(shardId, changes.getLast(), read.marks());
  }

  /** The request, but for table and key. */
  UpdateItemRequest.Builder request() {
    return UpdateItemRequest.builder()
        .updateExpression(expression())
        .conditionExpression(condition)
        .expressionAttributeNames(names)
        .expressionAttributeValues(values);
  }

  /** The same as a part of a transaction, on condition that nobody has counted anew. */
  Update inTransaction(String table, Key key, RecountVersion recounted) {
    condition += recounted.unchanged(names, values);
    return Update.builder()
        .tableName(table)
        .key(KeyAttributes.of(key))
        .updateExpression(expression())
        .conditionExpression(condition)
        .expressionAttributeNames(names)
        .expressionAttributeValues(values)
        .build();
  }

  private String expression() {
    return "SET "
        + String.join(", ", sets)
        + (removes.isEmpty() ? "" : " REMOVE " + String.join(", ", removes));
  }

  private void add(String attribute, long delta) {
    names.put("#" + attribute, attribute);
    values.put(":" + attribute, number(delta));
    sets.add("#%1$s = #%1$s + :%1$s".formatted(attribute));
  }

  /** The flag goes with the count that crossed, so a crossing cannot be seen twice or never. */
  private void flag(CountedState read, long delta, CelebrityRule rule) {
    values.put(":followers", number(read.followers()));
    condition += " AND #" + User.FOLLOWERS_COUNT + " = :followers";
    boolean after = rule.applies(read.isCelebrity(), read.followers() + delta);
    if (after != read.isCelebrity()) {
      names.put("#celebrity", User.IS_CELEBRITY);
      names.put("#version", User.CELEBRITY_VERSION);
      values.put(":celebrity", AttributeValue.fromBool(after));
      values.put(":one", number(1));
      sets.add("#celebrity = :celebrity");
      sets.add("#version = #version + :one");
    }
  }

  /** So does the place among all accounts, which can be no other than the count asks for. */
  private void stand(Key item, long followers) {
    var index = Index.POSTS_BY_AUTHOR;
    var place = User.standing(Keys.userOf(item.partition()), followers).get(index);
    names.put("#place", index.partitionKey());
    names.put("#order", index.sortKey());
    if (place == null) {
      removes.addAll(List.of("#place", "#order"));
    } else {
      values.put(":place", AttributeValue.fromS(place.partition()));
      values.put(":order", AttributeValue.fromS(place.sort()));
      sets.addAll(List.of("#place = :place", "#order = :order"));
    }
  }

  /** A mark only moves forward: what a dead letter brings back lies mostly before it. */
  private void move(String shardId, CountChange last, ShardCheckpoints marks) {
    var mark = marks.of(shardId);
    names.put("#marks", Counted.MARKS);
    names.put("#shard", shardId);
    var covered = mark.filter(m -> !last.isAfter(m)).orElse(last.sequenceNumber());
    values.put(":last", AttributeValue.fromS(covered));
    sets.add("#marks.#shard = :last");
    mark.ifPresent(m -> values.put(":mark", AttributeValue.fromS(m)));
    condition +=
        mark.isPresent()
            ? " AND #marks.#shard = :mark"
            : " AND attribute_not_exists(#marks.#shard)";
    for (var shard : marks.outdatedBy(shardId)) {
      var name = "#old" + removes.size();
      names.put(name, shard);
      removes.add("#marks." + name);
    }
  }

  private static Map<String, Long> sums(List<CountChange> changes) {
    var sums = new LinkedHashMap<String, Long>();
    changes.forEach(change -> sums.merge(change.attribute(), change.delta(), Long::sum));
    return sums;
  }

  private static AttributeValue number(long number) {
    return AttributeValue.fromN(Long.toString(number));
  }
}
