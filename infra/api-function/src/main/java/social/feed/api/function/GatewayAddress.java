package social.feed.api.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The address of a request from the parts that the gateway passes. A path may arrive decoded, so
 * what an address cannot contain is encoded again.
 */
final class GatewayAddress {
  private static final String ALLOWED_IN_PATH =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/";
  private static final String ALLOWED_IN_QUERY = ALLOWED_IN_PATH + "?";

  private GatewayAddress() {}

  static URI of(@Nullable String path, @Nullable String query) {
    String encoded = path == null || path.isEmpty() ? "/" : encode(path, ALLOWED_IN_PATH);
    // Two slashes would begin an authority.
    String rooted = encoded.startsWith("//") ? "/%2F" + encoded.substring(2) : encoded;
    return URI.create(
        query == null || query.isEmpty() ? rooted : rooted + "?" + encode(query, ALLOWED_IN_QUERY));
  }

  private static String encode(String text, String allowed) {
    StringBuilder encoded = new StringBuilder();
    for (int at = 0; at < text.length(); ) {
      int point = text.codePointAt(at);
      if (isAllowed(text, at, point, allowed)) {
        encoded.appendCodePoint(point);
      } else {
        for (byte octet : Character.toString(point).getBytes(UTF_8)) {
          encoded.append("%%%02X".formatted(octet));
        }
      }
      at += Character.charCount(point);
    }
    return encoded.toString();
  }

  private static boolean isAllowed(String text, int at, int point, String allowed) {
    if (point == '%') {
      return at + 2 < text.length() && isHex(text.charAt(at + 1)) && isHex(text.charAt(at + 2));
    }
    return allowed.indexOf(point) >= 0;
  }

  private static boolean isHex(char digit) {
    return Character.digit(digit, 16) >= 0 && digit < 128;
  }
}
