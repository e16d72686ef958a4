package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * An event filter as Lambda documents it, as far as the patterns here use it: equality, {@code
 * exists} and {@code anything-but} of leaves, and {@code $or} of patterns. Anything else is an
 * error.
 */
final class EventPattern {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String text;
  private final JsonNode pattern;

  EventPattern(Map<String, Object> pattern) {
    try {
      this.text = JSON.writeValueAsString(pattern);
      this.pattern = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  String text() {
    return text;
  }

  /** Whether a record passes, as it looks in Lambda's own JSON. */
  boolean matches(DynamodbStreamRecord record) {
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(List.of(record));
    try {
      return matches(pattern, JSON.readTree(Events.write(event)).required("Records").required(0));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static boolean matches(JsonNode pattern, JsonNode event) {
    return pattern.properties().stream()
        .allMatch(
            field ->
                field.getKey().equals("$or")
                    ? each(field.getValue()).stream().anyMatch(p -> matches(p, event))
                    : matchesField(field.getValue(), event.path(field.getKey())));
  }

  private static boolean matchesField(JsonNode pattern, JsonNode value) {
    return pattern.isObject()
        ? matches(pattern, value)
        : each(pattern).stream().anyMatch(rule -> keeps(rule, value));
  }

  private static boolean keeps(JsonNode rule, JsonNode value) {
    boolean present = !value.isMissingNode() && !value.isNull();
    if (rule.isValueNode()) {
      return present && rule.equals(value);
    }
    if (rule.has("exists")) {
      return present == rule.required("exists").booleanValue();
    }
    return present && !each(rule.required("anything-but")).contains(value);
  }

  private static List<JsonNode> each(JsonNode list) {
    if (!list.isArray()) {
      throw new IllegalArgumentException(list + " is no list");
    }
    return StreamSupport.stream(list.spliterator(), false).toList();
  }
}
