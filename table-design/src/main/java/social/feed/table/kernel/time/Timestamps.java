package social.feed.table.kernel.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/**
 * The one formatter of a time in a key or an attribute: UTC with exactly three fraction digits,
 * such as {@code 2026-11-20T09:15:00.500Z}. {@link Instant#toString()} has a variable width and
 * sorts wrongly as text.
 */
public final class Timestamps {
  /** Maximum difference between the clocks of two servers. */
  public static final Duration MAX_CLOCK_SKEW = Duration.ofMinutes(1);

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  private static final int LENGTH = 24;

  private Timestamps() {}

  /**
   * Returns a time as 24 characters whose text order is the order of time; finer digits are cut.
   *
   * @throws IllegalArgumentException outside the years 0 to 9999, which would change the width
   */
  public static String format(Instant time) {
    if (time.isBefore(FIRST) || time.isAfter(LAST)) {
      throw new IllegalArgumentException("Time outside the years 0 to 9999: " + time);
    }
    return FORMAT.format(time);
  }

  /**
   * Returns the time of a text, the inverse of {@link #format}.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static Instant parse(String text) {
    try {
      var time = Instant.from(FORMAT.parse(text));
      if (format(time).equals(text)) {
        return time;
      }
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("Not a time with three fraction digits: " + text, e);
    }
    throw new IllegalArgumentException("Not a time with three fraction digits: " + text);
  }

  /** Returns the time at the beginning of a sort key. */
  public static Instant leading(String sortKey) {
    return parse(sortKey.substring(0, Math.min(LENGTH, sortKey.length())));
  }

  /** Returns the current time in milliseconds, the precision of a key. */
  public static Instant now(Clock clock) {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
