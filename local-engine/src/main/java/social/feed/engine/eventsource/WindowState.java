package social.feed.engine.eventsource;

import java.nio.charset.StandardCharsets;

/** The size of a window's state, which Lambda limits. */
final class WindowState {

  private static final long MAX_BYTES = 1L << 20;

  /** Quotes, colon and comma of an entry in JSON. */
  private static final int JSON_BYTES = 6;

  private WindowState() {}

  static boolean isTooLarge(OpenWindow window) {
    return window.state().entrySet().stream()
            .mapToLong(e -> JSON_BYTES + bytes(e.getKey()) + bytes(e.getValue()))
            .sum()
        > MAX_BYTES;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
