package social.feed.table.log;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes fields as one line of JSON (RFC 8259). Control characters are escaped, so no text can
 * begin a line of its own, and so are single surrogates, which UTF-8 cannot encode.
 */
public final class JsonLine {
  private static final char FIRST_PRINTABLE = 0x20;

  private final StringBuilder line = new StringBuilder();

  private JsonLine() {}

  /**
   * Returns a line without its end. Values are numbers, truth values, lists, maps, or anything else
   * as text, in which hashes replace the members of keys.
   */
  public static String of(Map<String, ?> fields) {
    var json = new JsonLine();
    json.map(fields);
    return json.line.toString();
  }

  private void map(Map<?, ?> fields) {
    char before = '{';
    for (var field : fields.entrySet()) {
      line.append(before);
      text(String.valueOf(field.getKey()));
      line.append(':');
      value(field.getValue());
      before = ',';
    }
    line.append(before == '{' ? "{}" : "}");
  }

  private void value(@Nullable Object value) {
    switch (value) {
      case Map<?, ?> fields -> map(fields);
      case Iterable<?> values -> list(values);
      case Double number when !Double.isFinite(number) -> line.append("null");
      case Double number -> number(number);
      case Number number -> line.append(number);
      case Boolean flag -> line.append((boolean) flag);
      case null -> line.append("null");
      default -> text(Pseudonyms.in(value.toString()));
    }
  }

  /** Without a fraction where there is none. */
  private void number(double number) {
    if (number == Math.rint(number) && Math.abs(number) < Long.MAX_VALUE) {
      line.append((long) number);
    } else {
      line.append(number);
    }
  }

  private void list(Iterable<?> values) {
    char before = '[';
    for (var value : values) {
      line.append(before);
      value(value);
      before = ',';
    }
    line.append(before == '[' ? "[]" : "]");
  }

  private void text(String text) {
    line.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> line.append("\\\"");
        case '\\' -> line.append("\\\\");
        case '\n' -> line.append("\\n");
        case '\t' -> line.append("\\t");
        default -> {
          if (isEscaped(text, i)) {
            line.append("\\u%04x".formatted((int) c));
          } else {
            line.append(c);
          }
        }
      }
    }
    line.append('"');
  }

  /** Also the characters that some readers take for the end of a line. */
  private static boolean isEscaped(String text, int at) {
    char c = text.charAt(at);
    return c < FIRST_PRINTABLE
        || c == 0x7f
        || c == 0x85
        || c == 0x2028
        || c == 0x2029
        || Character.isHighSurrogate(c) && !isLow(text, at + 1)
        || Character.isLowSurrogate(c) && !isHigh(text, at - 1);
  }

  private static boolean isLow(String text, int at) {
    return at < text.length() && Character.isLowSurrogate(text.charAt(at));
  }

  private static boolean isHigh(String text, int at) {
    return at >= 0 && Character.isHighSurrogate(text.charAt(at));
  }
}
