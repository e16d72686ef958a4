package social.feed.infra;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.constructs.Node;

/**
 * The context of an app ({@code -c NAME=VALUE} and {@code cdk.json}), from which inputs are read.
 * It notes their names, so that a name that is no input is found.
 */
final class InputContext {
  /** The names of the CDK's own context have other characters. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]+");

  private final Node app;
  private final Set<String> names = new TreeSet<>();

  InputContext(Node app) {
    this.app = app;
  }

  private @Nullable Object read(String name) {
    names.add(name);
    return app.tryGetContext(name);
  }

  /** Returns the names of the inputs that were read. */
  Set<String> names() {
    return names;
  }

  /**
   * Checks the names of the context when all inputs are read. A name with a typing error would
   * deploy the default.
   *
   * @throws MissingInputException if one of them is no input
   */
  void requireKnown() {
    if (app.getAllContext() instanceof Map<?, ?> context) {
      for (var key : context.keySet()) {
        var name = String.valueOf(key);
        if (NAME.matcher(name).matches() && !names.contains(name)) {
          throw new MissingInputException(
              "%s is no input. The inputs are %s".formatted(name, String.join(", ", names)));
        }
      }
    }
  }

  /** Returns a value, or the fallback where there is none. */
  String value(String name, String fallback) {
    return read(name) instanceof String text && !text.isBlank() ? text : fallback;
  }

  Optional<String> optional(String name) {
    return Optional.of(value(name, "")).filter(text -> !text.isEmpty());
  }

  /** Returns a value for which {@code cdk.json} may have a default for each stage. */
  String ofStage(String name, Stage stage) {
    return read(name) instanceof Map<?, ?> defaults
        ? String.valueOf(defaults.get(stage.label()))
        : value(name, "");
  }

  /**
   * @throws MissingInputException if there is no value
   */
  Path path(String name) {
    return Path.of(
        optional(name)
            .orElseThrow(
                () -> new MissingInputException("Give the path: -c %s=PATH".formatted(name))));
  }

  /**
   * @throws MissingInputException if the value is no whole number
   */
  int number(String name, int fallback) {
    var text = value(name, Integer.toString(fallback));
    if (!text.matches("\\d{1,5}")) {
      throw new MissingInputException("%s must be a whole number, not %s".formatted(name, text));
    }
    return Integer.parseInt(text);
  }

  /**
   * @throws MissingInputException if the value is neither true nor false
   */
  boolean flag(String name) {
    var text = value(name, "false");
    if (!text.matches("true|false")) {
      throw new MissingInputException("%s must be true or false, not %s".formatted(name, text));
    }
    return text.equals("true");
  }
}
