package social.feed.infra;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The environment variables that the stacks set. */
final class DeployedVariables {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  private DeployedVariables() {}

  /** The variable that a property is read from. */
  static String named(String property) {
    return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** Of the function. */
  static Map<String, String> ofFunction(Stage stage) {
    var variables = new TreeMap<String, String>();
    Synthesized.of(stage)
        .only("stream", "AWS::Lambda::Function")
        .required("Environment")
        .required("Variables")
        .properties()
        .forEach(variable -> variables.put(variable.getKey(), deployed(variable.getValue())));
    return variables;
  }

  /** Of a task of the API. */
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

  /** A value as it may look once deployed: what only AWS knows has an address made up for it. */
  private static String deployed(JsonNode value) {
    return value.isTextual()
        ? value.textValue()
        : "https://deployed.invalid/" + Integer.toHexString(value.toString().hashCode());
  }
}
