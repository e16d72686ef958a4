package social.feed.table.kernel.store;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;
import static social.feed.table.kernel.store.Condition.unchanged;

import java.util.Map;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Changes of single rows that repair the table, each on condition that the row still is what was
 * read. So a concurrent change is never overwritten, and no deleted row comes back. Every method
 * returns whether it changed something. No request of the platform uses this class.
 */
public final class ConditionalWrites {
  private final Table table;

  public ConditionalWrites(Table table) {
    this.table = table;
  }

  /** Writes a row where there is none. One write unit, and one for each index that holds it. */
  public boolean insert(Row row) {
    return table.put(row, absent()).isDone();
  }

  /**
   * Replaces a row by another with the same key. One write unit, and those of the indexes.
   *
   * @param read the row as it was read
   * @param right the row as it should be
   */
  public boolean replace(Row read, Row right) {
    return table.put(right, unchanged(read)).isDone();
  }

  /**
   * Deletes a row. One write unit, and those of the indexes.
   *
   * @param read the row as it was read
   */
  public boolean remove(Row read) {
    return table.delete(read.key(), unchanged(read)).isDone();
  }

  /**
   * Sets attributes of a row while others are as they were read. One write unit.
   *
   * @param read attributes that must not have changed
   * @param values attributes to set
   */
  public boolean set(
      Key row, Map<String, AttributeValue> read, Map<String, AttributeValue> values) {
    var update = new Update();
    values.forEach(update::set);
    var condition =
        read.entrySet().stream()
            .map(attribute -> equal(attribute.getKey(), attribute.getValue()))
            .reduce(present(), Condition::and);
    return table.update(row, update, condition).isDone();
  }

  /**
   * Sets the index keys of an item to those that its row requires, and removes the others, while
   * neither the keys nor the attributes they derive from have changed. One write unit, and those of
   * the indexes.
   */
  public boolean reindex(TableScanner.Stored stored) {
    var update = new Update();
    var condition = present();
    var wanted = KeyAttributes.of(stored.row());
    for (var name : KeyAttributes.misplaced(stored.item(), stored.row())) {
      var right = wanted.get(name);
      if (right == null) {
        update.remove(name);
      } else {
        update.set(name, right);
      }
      condition = condition.and(same(name, stored.item().get(name)));
    }
    // Counters change at any moment, and few keys derive from a number.
    var number = stored.row().indexedNumber().orElse(null);
    var sources =
        RowCodec.encode(stored.row()).entrySet().stream()
            .filter(e -> !KeyAttributes.isKey(e.getKey()))
            .filter(e -> e.getValue().n() == null || e.getKey().equals(number))
            .filter(e -> !e.getValue().hasM() && !e.getValue().hasL())
            .map(e -> equal(e.getKey(), e.getValue()))
            .reduce(condition, Condition::and);
    return table.update(stored.key(), update, sources).isDone();
  }
}
