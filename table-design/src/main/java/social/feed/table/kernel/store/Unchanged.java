package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import social.feed.table.kernel.schema.KeyAttributes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The condition that an item still says what was read. Index keys are not part of it: they follow
 * from the rest, and one that is wrong must not keep the row from being put right.
 */
record Unchanged(String expression, Map<String, String> names, Map<String, AttributeValue> values) {
  static Unchanged since(Map<String, AttributeValue> read) {
    var comparisons = new ArrayList<String>();
    var names = new HashMap<String, String>();
    var values = new HashMap<String, AttributeValue>();
    read.forEach(
        (attribute, value) -> {
          if (KeyAttributes.isKey(attribute)) {
            return;
          }
          comparisons.add("#%1$s = :%1$s".formatted(attribute));
          names.put("#" + attribute, attribute);
          values.put(":" + attribute, value);
        });
    return new Unchanged(String.join(" AND ", comparisons), names, values);
  }
}
