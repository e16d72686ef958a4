package social.feed.infra;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a cache that the tasks of the API share, in the network of the tasks. The stacks
 * do not create it. The template holds the address, so it has no password.
 *
 * @param url {@code rediss://HOST:PORT}, or {@code redis://} without TLS
 */
record CacheAddress(String url) {
  static final String CACHE = "cache";

  private static final Pattern FORM = Pattern.compile("rediss?://[A-Za-z0-9.-]+:(\\d{2,5})");

  private static final int MAX_PORT = 65_535;

  CacheAddress {
    var form = FORM.matcher(url);
    if (!form.matches() || Integer.parseInt(form.group(1)) > MAX_PORT) {
      throw new MissingInputException(
          "%s must be rediss://HOST:PORT without a password".formatted(CACHE));
    }
  }

  /**
   * @throws MissingInputException for an API that runs as a function, outside of the network
   */
  void require(ApiKind api) {
    if (api == ApiKind.FUNCTION) {
      throw new MissingInputException(
          "%s is for %s=%s, and the API runs as a %s"
              .formatted(CACHE, ApiInputs.API, ApiKind.SERVICE.label(), api.label()));
    }
  }

  int port() {
    Matcher form = FORM.matcher(url);
    if (!form.matches()) {
      throw new IllegalStateException(url);
    }
    return Integer.parseInt(form.group(1));
  }

  /** Returns the variables of a task. */
  Map<String, String> variables() {
    return new TreeMap<>(Map.of("FEED_CACHE_URL", url));
  }
}
