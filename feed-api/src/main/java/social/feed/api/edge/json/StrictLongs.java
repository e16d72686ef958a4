package social.feed.api.edge.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.exceptions.InvalidFormatException;
import jakarta.inject.Singleton;
import java.io.IOException;

/** Refuses texts, booleans, fractions and one-element arrays where a whole number is expected. */
@Primary
@Singleton
final class StrictLongs extends StrictValues<Long> {

  @Override
  Long read(JsonNode node) throws IOException {
    if (node.isNumber()
        && (node.getNumberValue() instanceof Long || node.getNumberValue() instanceof Integer)) {
      return node.getLongValue();
    }
    throw new InvalidFormatException("not a whole number", null, node.getValue());
  }
}
