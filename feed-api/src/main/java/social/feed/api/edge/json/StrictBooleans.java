package social.feed.api.edge.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.exceptions.InvalidFormatException;
import jakarta.inject.Singleton;
import java.io.IOException;

/** Refuses numbers and texts where a boolean is expected. */
@Primary
@Singleton
final class StrictBooleans extends StrictValues<Boolean> {

  @Override
  Boolean read(JsonNode node) throws IOException {
    if (!node.isBoolean()) {
      throw new InvalidFormatException("not a boolean", null, node.getValue());
    }
    return node.getBooleanValue();
  }
}
