package social.feed.infra;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How the API runs. Both kinds have the same routes, and the same table and members. */
enum ApiKind {
  /** As a function, which costs nothing while no one uses it. Streams are polled. */
  FUNCTION,

  /** As tasks behind a load balancer in a network of their own. */
  SERVICE;

  /**
   * Returns the kind with this name.
   *
   * @throws MissingInputException if there is none
   */
  static ApiKind named(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new MissingInputException(
                    "%s must be one of %s, not %s".formatted(ApiInputs.API, all(), name)));
  }

  private static String all() {
    return Arrays.stream(values()).map(ApiKind::label).collect(Collectors.joining(", "));
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
