package social.feed.api.search;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import org.jspecify.annotations.Nullable;

/** Times in a query, in UTC. The 31st of a shorter month is its last day. */
public final class SearchTimes {
  /** The form of a time. */
  public static final String PATTERN =
      "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
          + "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?Z$";

  /** What is wrong with another text. */
  public static final String MESSAGE = "is a time in UTC such as 2026-11-24T15:00:00Z";

  private static final int DIGITS = 9;
  private static final DateTimeFormatter FORM =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, DIGITS, true)
          .appendLiteral('Z')
          .toFormatter();

  private SearchTimes() {}

  /** Returns the time of a text that has the form, or null for an absent one. */
  public static @Nullable Instant parse(@Nullable String text) {
    return text == null ? null : LocalDateTime.parse(text, FORM).toInstant(ZoneOffset.UTC);
  }
}
