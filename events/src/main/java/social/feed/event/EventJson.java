package social.feed.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import social.feed.table.kernel.time.Timestamps;

/** Events as JSON: {@code {"id", "type", "at", "entity", "version", "actor", "data"}}. */
public final class EventJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private EventJson() {}

  /** Returns an event as JSON text. The same event is always the same text. */
  public static String write(DomainEvent event) {
    return tree(event).toString();
  }

  /** Returns an event as a JSON object. */
  public static ObjectNode tree(DomainEvent event) {
    var json = JSON.createObjectNode();
    json.put("id", event.id());
    json.put("type", event.type().eventName());
    json.put("at", Timestamps.format(event.at()));
    json.put("entity", event.entity());
    json.put("version", event.version());
    json.put("actor", event.actor());
    json.set("data", JSON.valueToTree(event.data()));
    return json;
  }

  /**
   * Returns the event in a JSON object.
   *
   * @throws LaterEventException if this version does not know its type, or a field of its data
   * @throws IllegalArgumentException if it holds none
   */
  public static DomainEvent read(JsonNode json) {
    var type = type(text(json, "type"));
    var data = new TreeMap<String, Object>();
    json.path("data").properties().forEach(field -> data.put(field.getKey(), value(field)));
    return new DomainEvent(
        type,
        time(text(json, "at")),
        text(json, "entity"),
        text(json, "version"),
        text(json, "actor"),
        data);
  }

  private static EventType type(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("It has no type of an event");
    }
    return EventType.named(name)
        .orElseThrow(() -> new LaterEventException("The event type " + name));
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("It has no time of an event", e);
    }
  }

  /**
   * Returns the event in JSON text.
   *
   * @throws LaterEventException as {@link #read(JsonNode)}
   * @throws IllegalArgumentException if it holds none
   */
  public static DomainEvent read(String json) {
    try {
      return read(JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("It is no JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static String text(JsonNode json, String name) {
    return json.path(name).asText("");
  }

  private static Object value(Map.Entry<String, JsonNode> field) {
    var value = field.getValue();
    return switch (value.getNodeType()) {
      case BOOLEAN -> value.booleanValue();
      case NUMBER -> value.longValue();
      case ARRAY -> {
        var texts = new ArrayList<String>();
        value.forEach(text -> texts.add(text.asText()));
        yield texts;
      }
      default -> value.asText();
    };
  }
}
