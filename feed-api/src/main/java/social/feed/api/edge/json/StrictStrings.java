package social.feed.api.edge.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.exceptions.InvalidFormatException;
import jakarta.inject.Singleton;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Refuses numbers, booleans and one-element arrays where a string is expected. The framework's
 * decoder would convert them.
 */
@Primary
@Singleton
final class StrictStrings implements Deserializer<String> {

  @Override
  public @Nullable String deserialize(
      Decoder decoder, DecoderContext context, Argument<? super String> type) throws IOException {
    return text(decoder.decodeNode());
  }

  @Override
  public @Nullable String deserializeNullable(
      Decoder decoder, DecoderContext context, Argument<? super String> type) throws IOException {
    return decoder.decodeNull() ? null : text(decoder.decodeNode());
  }

  static @Nullable String text(JsonNode node) throws IOException {
    if (node.isNull()) {
      return null;
    }
    if (!node.isString()) {
      throw new InvalidFormatException("not a string", null, node.getValue());
    }
    return node.getStringValue();
  }
}
