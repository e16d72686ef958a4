package social.feed.api.edge.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The names of constants in JSON. */
public final class EnumNames {
  private EnumNames() {}

  /** Returns the names of the constants of an enum by their names in JSON, in their order. */
  public static SequencedMap<String, String> of(Class<?> type) {
    SequencedMap<String, String> names = new LinkedHashMap<>();
    for (Field field : type.getFields()) {
      if (field.isEnumConstant()) {
        JsonProperty inJson = field.getAnnotation(JsonProperty.class);
        names.put(inJson == null ? field.getName() : inJson.value(), field.getName());
      }
    }
    return names;
  }
}
