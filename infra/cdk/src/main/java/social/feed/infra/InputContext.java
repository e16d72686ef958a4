package social.feed.infra;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.constructs.Node;

/**
 * The context of an app ({@code -c NAME=VALUE} and {@code cdk.json}), from which inputs are read.
 * It notes their names, so that a name that is no input is found.
 */
final class InputContext {
  /** The names of the CDK's own context have other characters. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]+");

  private static final Set<String> STAGES =
      Arrays.stream(Stage.values()).map(Stage::label).collect(Collectors.toSet());

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

  /** Returns the stage, on which other values may depend. */
  Stage stage() {
    var given = read(Inputs.STAGE);
    return given == null ? Stage.DEV : Stage.named(String.valueOf(given));
  }

  /**
   * Returns a value, or the fallback where there is none.
   *
   * @throws MissingInputException if it has a form that no value has. A value that is not read
   *     would deploy the default
   */
  String value(String name, String fallback) {
    return optional(name).orElse(fallback);
  }

  /** Returns a value, which {@code cdk.json} may have for each stage. */
  Optional<String> optional(String name) {
    var given = read(name);
    var value =
        given instanceof Map<?, ?> ofStages && STAGES.containsAll(ofStages.keySet())
            ? ofStages.get(stage().label())
            : given;
    return switch (value) {
      case null -> Optional.empty();
      case String text -> Optional.of(text).filter(it -> !it.isBlank());
      case Boolean truth -> Optional.of(truth.toString());
      // 0.0001, and neither 1.0E-4 nor 0.00010.
      case Number number ->
          Optional.of(new BigDecimal(number.toString()).stripTrailingZeros().toPlainString());
      default ->
          throw new MissingInputException(
              ("%s must be a text, a number, true or false, or one of these for each stage as"
                      + " {\"dev\": …, \"prod\": …}, not %s")
                  .formatted(name, given));
    };
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
