package social.feed.api.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Encoder;
import io.micronaut.serde.Serde;
import io.micronaut.serde.exceptions.InvalidFormatException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/**
 * Points in time in JSON: UTC with exactly three fraction digits. Read in any ISO form with an
 * offset.
 */
@Primary
@Singleton
final class Timestamps implements Serde<Instant> {
  private static final DateTimeFormatter WIRE =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter().withZone(ZoneOffset.UTC);

  @Override
  public void serialize(
      Encoder encoder, EncoderContext context, Argument<? extends Instant> type, Instant value)
      throws IOException {
    encoder.encodeString(WIRE.format(value));
  }

  @Override
  public Instant deserialize(
      Decoder decoder, DecoderContext context, Argument<? super Instant> type) throws IOException {
    String text = decoder.decodeString();
    try {
      return DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
    } catch (DateTimeException e) {
      throw new InvalidFormatException("not a point in time", e, text);
    }
  }
}
