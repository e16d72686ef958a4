package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import social.feed.testkit.GeneratedPage;

/**
 * Tests the page of settings of API and function, which is generated from the metadata of their
 * builds.
 */
class ITConfigurationPage {
  private static final String OURS = "feed.";

  private static final String HEAD =
      """
      # Configuration

      A test generates this page from the code; do not edit it.

      The settings of the API and of the multiplexer's function, each by a property or by the environment variable next to it. Times are written as `500ms`, `20s`, `14m`, `24h`, `90d`, or as in ISO 8601 (`PT20S`).
      A setting without a default is optional, except `feed.cursor.secret` and the two queues of the function. The API also needs a source of keys: `feed.auth.jwks-url`, or the development issuer with its secret.

      The last column shows which settings the stacks of `infra/cdk` set. Their [inputs](../infra/cdk/README.md#commands) set the region, the table, the half-life of tags, the shared cache, the bucket of media and its distribution, the sinks of events, webhooks, the server of search, traces and the origins of browser apps. All other values are changed as variables
      in [`ApiTasks`](../infra/cdk/src/main/java/social/feed/infra/ApiTasks.java) or [`StreamStack`](../infra/cdk/src/main/java/social/feed/infra/StreamStack.java).
      The stacks also set %s. The local platform has [its own values](../feed-api/src/main/resources/application-local.properties) for some settings.
      """;

  /** A setting. */
  private record Setting(String name, String defaultValue, String meaning) {
    private String row(Set<String> deployed) {
      var variable = DeployedVariables.named(name);
      return "| `%s` | `%s` | %s | %s | %s |\n"
          .formatted(
              name,
              variable,
              defaultValue.isEmpty() ? "" : "`" + defaultValue + "`",
              meaning,
              deployed.contains(variable) ? "yes" : "");
    }
  }

  @Test
  void page_listsTheDeclaredSettings() throws IOException {
    var groups = new TreeMap<String, String>();
    var settings = new TreeMap<String, Setting>();
    for (var list : lists()) {
      for (var group : list.path("groups")) {
        groups.putIfAbsent(group.required("name").textValue(), text(group));
      }
      for (var property : list.path("properties")) {
        var name = property.required("name").textValue();
        var defaultValue = property.path("defaultValue").asText();
        settings.put(name, new Setting(name, defaultValue, text(property)));
      }
    }
    groups.keySet().removeIf(name -> !name.startsWith(OURS));
    settings.keySet().removeIf(name -> !name.startsWith(OURS));

    assertThat(settings).hasSizeGreaterThan(40);
    assertThat(settings.values()).extracting(Setting::meaning).doesNotContain("");
    GeneratedPage.named("configuration.md").is(page(groups, settings));
  }

  private static String page(Map<String, String> groups, Map<String, Setting> settings) {
    var deployed = new TreeSet<>(DeployedVariables.ofTask(Stage.PROD).keySet());
    deployed.addAll(DeployedVariables.ofFunction(Stage.PROD).keySet());
    var others =
        deployed.stream()
            .filter(variable -> settings.keySet().stream().noneMatch(is(variable)))
            .map(variable -> "`" + variable + "`")
            .collect(Collectors.joining(", "));
    var page = new StringBuilder(HEAD.formatted(others));
    groups.forEach(
        (group, meaning) -> {
          page.append("\n## `%s`\n\n%s\n\n".formatted(group, meaning));
          page.append("| property | variable | default | meaning | set by the stacks |\n");
          page.append("|---|---|---|---|---|\n");
          settings.values().stream()
              .filter(setting -> groupOf(setting.name).equals(group))
              .forEach(setting -> page.append(setting.row(deployed)));
        });
    return page.toString();
  }

  private static Predicate<String> is(String variable) {
    return property -> DeployedVariables.named(property).equals(variable);
  }

  private static String groupOf(String property) {
    return property.substring(0, property.lastIndexOf('.'));
  }

  /** Returns the text of the Javadoc, on one line. */
  private static String text(JsonNode declared) {
    return declared
        .path("description")
        .asText()
        .replaceAll("\\s+", " ")
        .replaceAll("\\{@code ([^}]*)}", "`$1`")
        .strip();
  }

  private static List<JsonNode> lists() throws IOException {
    var json = new ObjectMapper();
    var lists = new ArrayList<JsonNode>();
    var found =
        ITConfigurationPage.class
            .getClassLoader()
            .getResources("META-INF/spring-configuration-metadata.json");
    while (found.hasMoreElements()) {
      try (var list = found.nextElement().openStream()) {
        lists.add(json.readTree(list));
      }
    }
    return lists;
  }
}
