package social.feed.api.edge.json;

import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.Decoder;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.exceptions.InvalidFormatException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads lists of JSON strings, for components that name it. The decoder would convert numbers and
 * booleans in them, as it would without {@link StrictStrings}.
 */
@Singleton
public final class StrictStringLists implements Deserializer<List<String>> {

  @Override
  public @Nullable List<String> deserialize(
      Decoder decoder, DecoderContext context, Argument<? super List<String>> type)
      throws IOException {
    JsonNode node = decoder.decodeNode();
    if (node.isNull()) {
      return null;
    }
    if (!node.isArray()) {
      throw new InvalidFormatException("not a list", null, node.getValue());
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode element : node.values()) {
      texts.add(StrictStrings.text(element));
    }
    return texts;
  }

  @Override
  public @Nullable List<String> deserializeNullable(
      Decoder decoder, DecoderContext context, Argument<? super List<String>> type)
      throws IOException {
    return decoder.decodeNull() ? null : deserialize(decoder, context, type);
  }
}
