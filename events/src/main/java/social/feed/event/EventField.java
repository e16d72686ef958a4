package social.feed.event;

import java.util.Collection;

/**
 * A field of the data of an event. Fields are only added: {@code docs/events} holds the schema of
 * each type, and a test refuses a field that is removed or gets another type.
 *
 * @param name as the JSON has it
 * @param kind the type of its value
 * @param isRequired whether every event of the type has it
 */
record EventField(String name, Kind kind, boolean isRequired) {
  /** The type of a value, by its name in JSON Schema. */
  enum Kind {
    TEXT("string"),
    FLAG("boolean"),
    COUNT("integer"),
    TEXTS("array");

    private final String schema;

    Kind(String schema) {
      this.schema = schema;
    }

    /** Returns the name of the type in JSON Schema. */
    String schema() {
      return schema;
    }

    boolean holds(Object value) {
      return switch (this) {
        case TEXT -> value instanceof String;
        case FLAG -> value instanceof Boolean;
        case COUNT -> value instanceof Long || value instanceof Integer;
        case TEXTS ->
            value instanceof Collection<?> all && all.stream().allMatch(String.class::isInstance);
      };
    }
  }

  static EventField text(String name) {
    return new EventField(name, Kind.TEXT, true);
  }

  static EventField flag(String name) {
    return new EventField(name, Kind.FLAG, true);
  }

  static EventField count(String name) {
    return new EventField(name, Kind.COUNT, true);
  }

  static EventField texts(String name) {
    return new EventField(name, Kind.TEXTS, true);
  }

  EventField optional() {
    return new EventField(name, kind, false);
  }
}
