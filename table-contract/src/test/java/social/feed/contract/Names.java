package social.feed.contract;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Identifiers that no other test uses. All have the same length, because the length affects costs.
 */
final class Names {
  private static final AtomicInteger LAST = new AtomicInteger();

  private Names() {}

  /** Returns an identifier of ten characters. */
  static String fresh() {
    return "user%06d".formatted(LAST.incrementAndGet());
  }
}
