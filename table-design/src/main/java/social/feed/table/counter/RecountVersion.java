package social.feed.table.counter;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How often a counter had been counted anew when its item was read.
 *
 * @param attribute where the item says so
 * @param value what it says; null for never
 */
record RecountVersion(String attribute, @Nullable AttributeValue value) {
  /** The number, as a part of a name. */
  String times() {
    return value == null || value.n() == null ? "0" : value.n();
  }

  /** Adds to the condition of an update that it still is so. */
  String unchanged(Map<String, String> names, Map<String, AttributeValue> values) {
    names.put("#recounts", attribute);
    if (value == null) {
      return " AND attribute_not_exists(#recounts)";
    }
    values.put(":recounts", value);
    return " AND #recounts = :recounts";
  }
}
