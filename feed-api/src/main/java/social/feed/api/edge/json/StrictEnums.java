package social.feed.api.edge.json;

import io.micronaut.context.annotation.Primary;
import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.Deserializer;
import io.micronaut.serde.exceptions.InvalidFormatException;
import io.micronaut.serde.util.CustomizableDeserializer;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Refuses one-element arrays where the name of a constant of any enum is expected. */
@Primary
@Singleton
final class StrictEnums<E extends Enum<E>> implements CustomizableDeserializer<E> {

  @Override
  public Deserializer<E> createSpecific(DecoderContext context, Argument<? super E> type) {
    @SuppressWarnings("unchecked") // it is asked for enums only
    Class<E> enumType = (Class<E>) type.getType();
    Map<String, E> constants = new LinkedHashMap<>();
    EnumNames.of(enumType)
        .forEach((inJson, name) -> constants.put(inJson, Enum.valueOf(enumType, name)));
    return new OfType<>(constants);
  }

  /** Reads the constants of one enum. */
  private static final class OfType<E> extends StrictValues<E> {
    private final Map<String, E> constants;

    private OfType(Map<String, E> constants) {
      this.constants = constants;
    }

    @Override
    E read(JsonNode node) throws IOException {
      String name = StrictStrings.text(node);
      E constant = constants.get(name);
      if (constant == null) {
        throw new InvalidFormatException("not one of " + constants.keySet(), null, name);
      }
      return constant;
    }
  }
}
