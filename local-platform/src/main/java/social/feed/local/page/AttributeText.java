package social.feed.local.page;

import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attributes of an item as text. The secrets of webhooks, which sign calls, are left out. */
final class AttributeText {
  private static final Pattern SECRET = Pattern.compile("whsec_[A-Za-z0-9+/=]+");

  private AttributeText() {}

  /** Returns the values of an item by their names, in the order of the names. */
  static Map<String, String> of(Map<String, AttributeValue> item) {
    var text = new TreeMap<String, String>();
    item.forEach((name, value) -> text.put(name, of(value)));
    return text;
  }

  /** Returns a value without its type. */
  static String of(AttributeValue value) {
    return switch (value.type()) {
      case S -> SECRET.matcher(value.s()).replaceAll("whsec_…");
      case N -> value.n();
      case BOOL -> value.bool().toString();
      case NUL -> "null";
      case B -> Base64.getEncoder().encodeToString(value.b().asByteArray());
      case SS -> value.ss().stream().sorted().toList().toString();
      case NS -> value.ns().stream().sorted().toList().toString();
      case L ->
          value.l().stream().map(AttributeText::of).collect(Collectors.joining(", ", "[", "]"));
      case M -> of(value.m()).toString();
      case BS, UNKNOWN_TO_SDK_VERSION -> value.toString();
    };
  }
}
