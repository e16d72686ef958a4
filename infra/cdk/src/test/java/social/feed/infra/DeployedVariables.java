package social.feed.infra;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The environment variables that the stacks set. */
final class DeployedVariables {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  private DeployedVariables() {}

  /** Returns the variable from which a property is read. */
  static String named(String property) {
    return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** Returns the variables of the two functions, which are the same. */
  static Map<String, String> ofFunction(Stage stage) {
    var environments =
        Synthesized.of(stage).all("stream", "AWS::Lambda::Function").stream()
            .map(function -> function.required("Environment"))
            .distinct()
            .toList();
    if (environments.size() != 1) {
      throw new AssertionError("The functions have different variables: " + environments);
    }
    var variables = new TreeMap<String, String>();
    environments
        .getFirst()
        .required("Variables")
        .properties()
        .forEach(variable -> variables.put(variable.getKey(), deployed(variable.getValue())));
    return variables;
  }

  /** Returns the variables of the API as a function. */
  static Map<String, String> ofApiFunction(Stage stage) throws IOException {
    var variables = new TreeMap<String, String>();
    Synthesized.withFunction(stage)
        .only("api", "AWS::Lambda::Function")
        .at("/Environment/Variables")
        .properties()
        .forEach(variable -> variables.put(variable.getKey(), deployed(variable.getValue())));
    return variables;
  }

  /** Returns the variables of a task of the API. */
  static Map<String, String> ofTask(Stage stage) {
    var container =
        Synthesized.of(stage)
            .only("api", "AWS::ECS::TaskDefinition")
            .required("ContainerDefinitions")
            .required(0);
    var variables = new TreeMap<String, String>();
    for (var variable : container.required("Environment")) {
      variables.put(variable.required("Name").textValue(), deployed(variable.required("Value")));
    }
    for (var secret : container.required("Secrets")) {
      variables.put(secret.required("Name").textValue(), SECRET);
    }
    return variables;
  }

  /**
   * Returns a value as it may be after deployment. A value that only AWS knows is replaced with an
   * invented address.
   */
  private static String deployed(JsonNode value) {
    return value.isTextual()
        ? value.textValue()
        : "https://deployed.invalid/" + Integer.toHexString(value.toString().hashCode());
  }
}
