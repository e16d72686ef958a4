package social.feed.api.edge.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.exceptions.InvalidFormatException;
import jakarta.inject.Singleton;
import java.io.IOException;

/** Refuses numbers, booleans and one-element arrays where a string is expected. */
@Primary
@Singleton
final class StrictStrings extends StrictValues<String> {

  @Override
  String read(JsonNode node) throws IOException {
    return text(node);
  }

  static String text(JsonNode node) throws IOException {
    if (!node.isString()) {
      throw new InvalidFormatException("not a string", null, node.getValue());
    }
    return node.getStringValue();
  }
}
