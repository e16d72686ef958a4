package social.feed.table.kernel.store;

import java.util.Map;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Changes of single rows for whoever repairs the table, each on condition that the row still is
 * what was read: a change that comes between is never overwritten, and nothing that is gone comes
 * back. Every method says whether it changed something. No request of the platform uses it.
 */
public final class ConditionalWrites {
  private final Table table;

  public ConditionalWrites(Table table) {
    this.table = table;
  }

  /** Writes a row where there is nothing. One write unit, and one for each index that holds it. */
  public boolean insert(Row row) {
    return done(
        () ->
            table
                .client()
                .putItem(
                    p ->
                        p.tableName(table.name())
                            .item(RowCodec.encode(row))
                            .conditionExpression(Conditions.ABSENT)));
  }

  /** Writes a row in the place of another with the same key. One write unit and the indexes. */
  public boolean replace(Row read, Row right) {
    var same = Unchanged.since(RowCodec.encode(read));
    return done(
        () ->
            table
                .client()
                .putItem(
                    p ->
                        p.tableName(table.name())
                            .item(RowCodec.encode(right))
                            .conditionExpression(same.expression())
                            .expressionAttributeNames(same.names())
                            .expressionAttributeValues(same.values())));
  }

  /** Deletes a row. One write unit and the indexes. */
  public boolean remove(Row read) {
    var same = Unchanged.since(RowCodec.encode(read));
    return done(
        () ->
            table
                .client()
                .deleteItem(
                    d ->
                        d.tableName(table.name())
                            .key(KeyAttributes.of(read.key()))
                            .conditionExpression(same.expression())
                            .expressionAttributeNames(same.names())
                            .expressionAttributeValues(same.values())));
  }

  /**
   * Sets attributes of a row while others are what was read. One write unit.
   *
   * @param read what must not have changed
   */
  public boolean set(
      Key row, Map<String, AttributeValue> read, Map<String, AttributeValue> values) {
    var update = new SetExpression();
    values.forEach(update::set);
    read.forEach((attribute, value) -> update.when(attribute, "=", value));
    return updated(row, update);
  }

  /**
   * Gives an item the index keys that its row asks for and takes the others, while neither they nor
   * what they are made of has changed. One write unit and the indexes.
   */
  public boolean reindex(TableScanner.Stored stored) {
    var update = new SetExpression();
    var wanted = KeyAttributes.of(stored.row());
    for (var name : KeyAttributes.misplaced(stored.item(), stored.row())) {
      var is = stored.item().get(name);
      var right = wanted.get(name);
      if (right == null) {
        update.remove(name);
      } else {
        update.set(name, right);
      }
      if (is == null) {
        update.whenAbsent(name);
      } else {
        update.when(name, "=", is);
      }
    }
    // Counters change at any moment, and few keys are made of a number.
    var number = stored.row().indexedNumber().orElse(null);
    RowCodec.encode(stored.row()).entrySet().stream()
        .filter(e -> !KeyAttributes.isKey(e.getKey()))
        .filter(e -> e.getValue().n() == null || e.getKey().equals(number))
        .filter(e -> !e.getValue().hasM() && !e.getValue().hasL())
        .forEach(e -> update.when(e.getKey(), "=", e.getValue()));
    return updated(stored.key(), update);
  }

  private boolean updated(Key row, SetExpression update) {
    var request = update.request().tableName(table.name()).key(KeyAttributes.of(row)).build();
    return done(() -> table.client().updateItem(request));
  }

  private static boolean done(Runnable write) {
    try {
      write.run();
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }
}
