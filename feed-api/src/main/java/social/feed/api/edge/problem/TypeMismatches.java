package social.feed.api.edge.problem;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.core.type.Argument;
import java.lang.reflect.Field;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Says of a field or variable that was given something else what it takes. */
final class TypeMismatches {
  private TypeMismatches() {}

  /** To be read after the name of the field. */
  static String message(Argument<?> argument) {
    Class<?> type = argument.getType();
    if (type.isEnum()) {
      return "must be one of " + values(type);
    }
    if (type == Instant.class) {
      return "must be a time such as 2026-11-20T09:15:00Z";
    }
    if (type == String.class) {
      return "must be text";
    }
    if (type == int.class || type == Integer.class) {
      return "must be a whole number";
    }
    return List.class.isAssignableFrom(type) ? "must be a list" : "has the wrong type";
  }

  private static String values(Class<?> type) {
    return Arrays.stream(type.getFields())
        .filter(Field::isEnumConstant)
        .map(TypeMismatches::onTheWire)
        .collect(Collectors.joining(", "));
  }

  private static String onTheWire(Field constant) {
    JsonProperty name = constant.getAnnotation(JsonProperty.class);
    return name == null ? constant.getName() : name.value();
  }
}
