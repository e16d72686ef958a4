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

/** Reads booleans from JSON booleans only. The decoder would convert numbers and texts. */
@Primary
@Singleton
final class StrictBooleans implements Deserializer<Boolean> {

  @Override
  public @Nullable Boolean deserialize(
      Decoder decoder, DecoderContext context, Argument<? super Boolean> type) throws IOException {
    return flag(decoder.decodeNode());
  }

  @Override
  public @Nullable Boolean deserializeNullable(
      Decoder decoder, DecoderContext context, Argument<? super Boolean> type) throws IOException {
    return decoder.decodeNull() ? null : flag(decoder.decodeNode());
  }

  private static @Nullable Boolean flag(JsonNode node) throws IOException {
    if (node.isNull()) {
      return null;
    }
    if (!node.isBoolean()) {
      throw new InvalidFormatException("not a boolean", null, node.getValue());
    }
    return node.getBooleanValue();
  }
}
