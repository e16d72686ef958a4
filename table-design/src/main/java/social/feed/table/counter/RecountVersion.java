package social.feed.table.counter;

import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.store.Condition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How often a counter had been recounted when its item was read.
 *
 * @param attribute the attribute that holds the number
 * @param value its value; null for never
 */
record RecountVersion(String attribute, @Nullable AttributeValue value) {
  /** Returns the number, as a part of a name. */
  String times() {
    return value == null || value.n() == null ? "0" : value.n();
  }

  /** Holds while no further recount was written. */
  Condition unchanged() {
    return Condition.same(attribute, value);
  }
}
