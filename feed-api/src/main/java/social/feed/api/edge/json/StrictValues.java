package social.feed.api.edge.json;

import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Deserializer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads values from JSON values of their own kind only, and null. The decoder would convert others.
 */
abstract class StrictValues<T> implements Deserializer<T> {

  @Override
  public final @Nullable T deserialize(
      Decoder decoder, DecoderContext context, Argument<? super T> type) throws IOException {
    JsonNode node = decoder.decodeNode();
    return node.isNull() ? null : read(node);
  }

  @Override
  public final @Nullable T deserializeNullable(
      Decoder decoder, DecoderContext context, Argument<? super T> type) throws IOException {
    return decoder.decodeNull() ? null : deserialize(decoder, context, type);
  }

  /**
   * Returns the value of a node.
   *
   * @throws io.micronaut.serde.exceptions.InvalidFormatException for one of another kind
   */
  abstract T read(JsonNode node) throws IOException;
}
