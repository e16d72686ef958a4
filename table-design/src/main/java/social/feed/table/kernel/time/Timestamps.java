package social.feed.table.kernel.time;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one formatter of a time in a key or an attribute: UTC with exactly three fraction digits,
 * such as {@code 2026-11-20T09:15:00.500Z}. {@link Instant#toString()} has a variable width and
 * sorts wrongly as text.
 */
public final class Timestamps {
  /** Maximum difference between the clocks of two servers. */
  public static final Duration MAX_CLOCK_SKEW = Duration.ofMinutes(1);

  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  /** Zeros stand for digits. */
  private static final String PATTERN = "0000-00-00T00:00:00.000Z";

  private static final int MILLISECOND = 1_000_000;

  private Timestamps() {}

  /**
   * Returns a time as 24 characters whose text order is the order of time; finer digits are cut.
   *
   * @throws IllegalArgumentException outside the years 0 to 9999, which would change the width
   */
  public static String format(Instant time) {
    if (!nearest(time).equals(time)) {
      throw new IllegalArgumentException("Time outside the years 0 to 9999: " + time);
    }
    var utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
    var text = new StringBuilder(PATTERN);
    write(text, 4, utc.getYear());
    write(text, 7, utc.getMonthValue());
    write(text, 10, utc.getDayOfMonth());
    write(text, 13, utc.getHour());
    write(text, 16, utc.getMinute());
    write(text, 19, utc.getSecond());
    write(text, 23, utc.getNano() / MILLISECOND);
    return text.toString();
  }

  /** Returns the time, or the nearest one that {@link #format} supports. */
  public static Instant nearest(Instant time) {
    if (time.isBefore(FIRST)) {
      return FIRST;
    }
    return time.isAfter(LAST) ? LAST : time;
  }

  /** Returns the time of a text, or none for a text that is no time. */
  public static Optional<Instant> find(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the time of a text, the inverse of {@link #format}.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static Instant parse(String text) {
    if (!hasPattern(text)) {
      throw new IllegalArgumentException("Not a time with three fraction digits: " + text);
    }
    try {
      return LocalDateTime.of(
              number(text, 0, 4),
              number(text, 5, 7),
              number(text, 8, 10),
              number(text, 11, 13),
              number(text, 14, 16),
              number(text, 17, 19),
              number(text, 20, 23) * MILLISECOND)
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("Not a time with three fraction digits: " + text, e);
    }
  }

  private static boolean hasPattern(String text) {
    if (text.length() != PATTERN.length()) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char expected = PATTERN.charAt(i);
      char found = text.charAt(i);
      if (expected == '0' ? found < '0' || found > '9' : found != expected) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  /** Writes the digits of a number before an end. */
  private static void write(StringBuilder text, int end, int number) {
    int rest = number;
    for (int at = end - 1; rest > 0; at--) {
      text.setCharAt(at, (char) ('0' + rest % 10));
      rest /= 10;
    }
  }

  /** Returns the time at the beginning of a sort key. */
  public static Instant leading(String sortKey) {
    return parse(sortKey.substring(0, Math.min(PATTERN.length(), sortKey.length())));
  }

  /** Returns the current time in milliseconds, the precision of a key. */
  public static Instant now(Clock clock) {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
