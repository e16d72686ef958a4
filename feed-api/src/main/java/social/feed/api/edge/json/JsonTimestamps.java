package social.feed.api.edge.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Encoder;
import io.micronaut.serde.Serde;
import io.micronaut.serde.exceptions.InvalidFormatException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import social.feed.table.kernel.time.Timestamps;

/**
 * Converts points in time in JSON. Writes UTC with exactly three fraction digits. Reads the format
 * of RFC 3339 with any offset below a day. Java's own parser supports no offset beyond 18 hours,
 * and accepts spellings that the RFC does not. With an offset a time can lie before the year 0 or
 * after the year 9999 in UTC; it is then read as the first or last time of these years.
 */
@Primary
@Singleton
final class JsonTimestamps implements Serde<Instant> {
  /** Seconds have up to nine fraction digits. Leap seconds are not supported. */
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "(?<local>\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?)"
              + "(?:[Zz]|(?<sign>[+-])(?<hours>[01]\\d|2[0-3]):(?<minutes>[0-5]\\d))");

  @Override
  public void serialize(
      Encoder encoder, EncoderContext context, Argument<? extends Instant> type, Instant value)
      throws IOException {
    encoder.encodeString(Timestamps.format(value));
  }

  @Override
  public Instant deserialize(
      Decoder decoder, DecoderContext context, Argument<? super Instant> type) throws IOException {
    String text = StrictStrings.text(decoder.decodeNode());
    Matcher parts = RFC_3339.matcher(text);
    if (!parts.matches()) {
      throw new InvalidFormatException("not a point in time", null, text);
    }
    try {
      var time =
          LocalDateTime.parse(parts.group("local").toUpperCase(Locale.ROOT))
              .toInstant(ZoneOffset.UTC)
              .minus(offset(parts));
      return Timestamps.nearest(time);
    } catch (DateTimeException e) {
      throw new InvalidFormatException("not a point in time", e, text);
    }
  }

  private static Duration offset(Matcher parts) {
    if (parts.group("sign") == null) {
      return Duration.ZERO;
    }
    Duration east =
        Duration.ofHours(Long.parseLong(parts.group("hours")))
            .plusMinutes(Long.parseLong(parts.group("minutes")));
    return parts.group("sign").equals("-") ? east.negated() : east;
  }
}
