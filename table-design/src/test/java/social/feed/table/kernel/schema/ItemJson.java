package social.feed.table.kernel.schema;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An item as DynamoDB JSON, one attribute a line, in the order of the names. */
final class ItemJson {
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private ItemJson() {}

  static String of(Map<String, AttributeValue> item) {
    return new TreeMap<>(item)
        .entrySet().stream()
            .map(e -> "  " + quoted(e.getKey()) + ": " + value(e.getValue()))
            .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
  }

  private static String value(AttributeValue value) {
    return switch (value.type()) {
      case S -> "{\"S\": " + quoted(value.s()) + "}";
      case N -> "{\"N\": " + quoted(value.n()) + "}";
      case BOOL -> "{\"BOOL\": " + value.bool() + "}";
      case L -> "{\"L\": " + list(value.l()) + "}";
      case M -> "{\"M\": " + map(value.m()) + "}";
      case B, SS, NS, BS, NUL, UNKNOWN_TO_SDK_VERSION ->
          throw new IllegalArgumentException("No row has an attribute of type " + value.type());
    };
  }

  private static String list(List<AttributeValue> values) {
    return values.stream().map(ItemJson::value).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String map(Map<String, AttributeValue> values) {
    return new TreeMap<>(values)
        .entrySet().stream()
            .map(e -> quoted(e.getKey()) + ": " + value(e.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quoted(String text) {
    var escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
    return "\"" + CONTROL.matcher(escaped).replaceAll(ItemJson::escaped) + "\"";
  }

  private static String escaped(MatchResult control) {
    return "\\\\u%04x".formatted((int) control.group().charAt(0));
  }
}
