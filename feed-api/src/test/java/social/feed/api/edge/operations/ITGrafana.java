package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;
import social.feed.api.http.ServerOnly;
import social.feed.table.kernel.cost.UnitPrices;

/** Tests that the dashboard for Grafana asks for metrics and labels that {@code /metrics} has. */
@ServerOnly
class ITGrafana {
  private static final Path DASHBOARD = Path.of("..", "infra", "grafana", "api.json");

  /** A name of a metric; functions and labels have no prefix of these. */
  private static final Pattern METRIC = Pattern.compile("\\b(?:feed|http|jvm|process)_[a-z_]+");

  private static final Pattern GROUPED =
      Pattern.compile("by \\(([a-z, ]+)\\) \\((?:rate\\()?((?:feed|http|jvm|process)_[a-z_]+)");

  private static List<String> expressions() throws IOException {
    JsonNode dashboard =
        JsonMapper.createDefault().readValue(Files.readString(DASHBOARD), JsonNode.class);
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels").values()) {
      for (JsonNode target : panel.get("targets").values()) {
        expressions.add(target.get("expr").getStringValue());
      }
    }
    return expressions;
  }

  /** Returns the metrics after some requests, with those of a shared cache, which is lost. */
  private static List<String> scraped() {
    try (FeedServer server = FeedServer.start(Map.of("feed.cache.url", "redis://127.0.0.1:1"))) {
      Api ann = server.as("ann");
      ann.post("/v1/users", "{\"handle\":\"ann\",\"display_name\":\"Ann\"}");
      ann.get("/v1/users/ann");
      return server.anonymous().get("/metrics").text().lines().toList();
    }
  }

  @Test
  void dashboard_asksForMetricsAndLabelsThatExist_andForAllOfOurs() throws IOException {
    List<String> scraped = scraped();
    List<String> ours =
        scraped.stream()
            .filter(line -> line.startsWith("feed_"))
            .map(line -> line.replaceFirst("[{ ].*", ""))
            .distinct()
            .toList();

    assertThat(expressions()).hasSizeGreaterThan(8).allSatisfy(it -> assertExists(it, scraped));
    assertThat(ours)
        .contains("feed_cache_available", "feed_read_units_total")
        .allSatisfy(name -> assertThat(expressions()).anyMatch(it -> it.contains(name)));
  }

  private static void assertExists(String expression, List<String> scraped) {
    assertThat(METRIC.matcher(expression).results().map(it -> it.group()))
        .isNotEmpty()
        .allSatisfy(
            name ->
                assertThat(scraped).anyMatch(line -> line.matches(name + "(\\{.*)? [-0-9.E]+")));
    GROUPED
        .matcher(expression)
        .results()
        .forEach(
            grouped -> {
              for (String label : grouped.group(1).split(", ")) {
                assertThat(scraped)
                    .as(label)
                    .anyMatch(
                        line ->
                            line.startsWith(grouped.group(2) + "{")
                                && line.contains(label + "=\""));
              }
            });
  }

  @Test
  void dashboard_hasTheDeclaredPrices() throws IOException {
    assertThat(expressions().stream().filter(it -> it.contains("1000000")))
        .singleElement()
        .asString()
        .contains(" * " + UnitPrices.READS_IN_US_EAST_1, " * " + UnitPrices.WRITES_IN_US_EAST_1);
  }
}
