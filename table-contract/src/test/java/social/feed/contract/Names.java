package social.feed.contract;

import java.util.concurrent.atomic.AtomicInteger;

/** Identifiers that no other test has, all of one length, since length decides what items cost. */
final class Names {
  private static final AtomicInteger LAST = new AtomicInteger();

  private Names() {}

  /** Ten characters. */
  static String fresh() {
    return "user%06d".formatted(LAST.incrementAndGet());
  }
}
