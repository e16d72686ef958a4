package social.feed.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The JSON Schema of each type of event, and whether a new one can replace an old one. */
public final class EventSchema {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PROPERTIES = "properties";
  private static final String REQUIRED = "required";
  private static final String TYPE = "type";

  /** The fields of the envelope, all of them text. */
  private static final Map<String, String> ENVELOPE =
      Map.of(
          "actor", "The account that did it.",
          "at", "When it happened, to the second.",
          "entity", "What it happened to, such as post:01J4.",
          "id", "The same for each copy of the event.",
          "version", "Sorts the events of one entity as text.");

  private EventSchema() {}

  /** Returns the schema of a type, with sorted properties. */
  public static ObjectNode of(EventType type) {
    var schema = object();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", type.eventName());
    var properties = (ObjectNode) schema.get(PROPERTIES);
    for (var name : List.of("actor", "at", "entity", "id", "version")) {
      properties.putObject(name).put(TYPE, "string").put("description", ENVELOPE.get(name));
      schema.withArray(REQUIRED).add(name);
    }
    properties.putObject(TYPE).put("const", type.eventName());
    properties.set("data", data(type));
    schema.withArray(REQUIRED).add(TYPE).add("data");
    return schema;
  }

  private static ObjectNode data(EventType type) {
    var data = object();
    for (var field : type.fields()) {
      var property = ((ObjectNode) data.get(PROPERTIES)).putObject(field.name());
      property.put(TYPE, field.kind().schema());
      if (field.kind() == EventField.Kind.TEXTS) {
        property.putObject("items").put(TYPE, "string");
      }
      if (field.isRequired()) {
        data.withArray(REQUIRED).add(field.name());
      }
    }
    return data;
  }

  private static ObjectNode object() {
    var object = JSON.createObjectNode();
    object.put(TYPE, "object");
    object.putObject(PROPERTIES);
    object.putArray(REQUIRED);
    return object;
  }

  /**
   * Returns why consumers that know an old schema cannot read events of a new one: a field that is
   * gone, has another type, or is no longer in every event. Empty for a schema that only grew.
   */
  public static List<String> breaks(JsonNode old, JsonNode now) {
    var breaks = new ArrayList<String>();
    old.path(PROPERTIES)
        .properties()
        .forEach(
            field -> {
              var name = field.getKey();
              var before = field.getValue();
              var after = now.path(PROPERTIES).path(name);
              if (after.isMissingNode()) {
                breaks.add(name + " is gone");
              } else if (!before.path(TYPE).equals(after.path(TYPE))
                  || !before.path("const").equals(after.path("const"))
                  || !before.path("items").equals(after.path("items"))) {
                breaks.add(name + " has another type");
              } else {
                breaks(before, after).forEach(inner -> breaks.add(name + "." + inner));
              }
            });
    var required = now.path(REQUIRED).valueStream().map(JsonNode::asText).toList();
    old.path(REQUIRED)
        .forEach(
            name -> {
              boolean isThere = now.path(PROPERTIES).has(name.asText());
              if (isThere && !required.contains(name.asText())) {
                breaks.add(name.asText() + " is no longer in every event");
              }
            });
    return breaks;
  }
}
