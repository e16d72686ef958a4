package social.feed.table.kernel.schema;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** Derives attribute names from record components: {@code createdAt} becomes {@code created_at}. */
public final class AttributeNames {
  private AttributeNames() {}

  /** Returns a component's name in snake case. */
  public static String of(String component) {
    var name = new StringBuilder();
    component
        .chars()
        .forEach(
            c -> {
              if (Character.isUpperCase(c)) {
                name.append('_');
              }
              name.append((char) Character.toLowerCase(c));
            });
    return name.toString();
  }

  /** Returns the attributes of some record types together, in alphabetical order. */
  @SafeVarargs
  public static Set<String> of(Class<? extends Record>... types) {
    var names = new TreeSet<String>();
    for (var type : types) {
      Arrays.stream(type.getRecordComponents()).forEach(c -> names.add(of(c.getName())));
    }
    return names;
  }
}
