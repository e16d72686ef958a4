package social.feed.api.edge.problem;

import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;

/** What a caller calls the things that have Java names here. */
final class JsonNames {
  private JsonNames() {}

  /** The name in the query, path or header that an argument is bound from. */
  static String of(Argument<?> argument) {
    return argument
        .getAnnotationMetadata()
        .stringValue(Bindable.class)
        .filter(name -> !name.isEmpty())
        .orElseGet(() -> of(argument.getName()));
  }

  /** The name in JSON of a record's component. */
  static String of(String javaName) {
    return NameUtils.underscoreSeparate(javaName).toLowerCase(java.util.Locale.ROOT);
  }
}
