package social.feed.engine.eventsource;

import java.util.Comparator;

/**
 * The order of a stream's sequence numbers: numbers of 21 to 40 digits, so neither a {@code long}
 * nor a plain comparison of strings will do.
 */
final class SequenceNumbers {

  private static final int DIGITS = 40;

  static final Comparator<String> ORDER = Comparator.comparing(SequenceNumbers::padded);

  private SequenceNumbers() {}

  private static String padded(String number) {
    return "0".repeat(Math.max(0, DIGITS - number.length())) + number;
  }
}
