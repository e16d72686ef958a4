package social.feed.api.edge.json;

import io.micronaut.json.tree.JsonNode;
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
public final class StrictStringLists extends StrictValues<List<String>> {

  /** A null stays, so that the constraints of the component can refuse it. */
  @Override
  List<String> read(JsonNode node) throws IOException {
    if (!node.isArray()) {
      throw new InvalidFormatException("not a list", null, node.getValue());
    }
    List<@Nullable String> texts = new ArrayList<>();
    for (JsonNode element : node.values()) {
      texts.add(element.isNull() ? null : StrictStrings.text(element));
    }
    return texts;
  }
}
