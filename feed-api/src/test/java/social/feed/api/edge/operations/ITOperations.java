package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.FeedServer;

@MicronautTest
class ITOperations {
  private static final Pattern ASSET = Pattern.compile("contextPath \\+ [\"'](/[^\"']+)[\"']");

  private final Api anonymous;

  ITOperations(EmbeddedServer server) {
    this.anonymous = Api.anonymous(server.getURI());
  }

  @Test
  void health_withoutTable_isDownWithoutDetails() {
    Answer answer = anonymous.get("/health");

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.text()).isEqualTo("{\"status\":\"DOWN\"}");
    assertThat(anonymous.get("/health/readiness").status()).isEqualTo(503);
  }

  @Test
  void health_withTable_isUp() {
    try (FeedServer whole = FeedServer.start(java.util.Map.of())) {
      assertThat(whole.anonymous().get("/health").text()).isEqualTo("{\"status\":\"UP\"}");
      assertThat(whole.anonymous().get("/health/readiness").status()).isEqualTo(200);
      whole.as("anyone").get("/v1/users/missing");
      assertThat(whole.anonymous().get("/metrics").text())
          .contains("feed_read_units_total{route=\"/v1/users/{id}\"} 1.0");
    }
  }

  @Test
  void table_thatDoesNotAnswer_is503() {
    Answer answer = anonymous.as("ann").get("/v1/users/bob");

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("table_busy");
    assertThat(answer.header("Retry-After")).hasValue("1");
  }

  @Test
  void liveness_withoutTable_isUp() {
    Answer answer = anonymous.get("/health/liveness");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo("{\"status\":\"UP\"}");
  }

  @Test
  void metrics_areInPrometheusText() {
    anonymous.get("/health/liveness");

    Answer answer = anonymous.get("/metrics");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type").orElse("")).startsWith("text/plain");
    assertThat(answer.text())
        .contains("# TYPE jvm_memory_used_bytes gauge", "http_server_requests_seconds_count{");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/prometheus",
        "/beans",
        "/env",
        "/routes",
        "/loggers",
        "/info",
        "/threaddump",
        "/refresh",
        "/stop",
        "/metrics/jvm.memory.used",
        "/login",
        "/logout",
        "/keys"
      })
  void endpoint_notWanted_doesNotExist(String path) {
    assertThat(anonymous.get(path).status()).isEqualTo(404);
  }

  @Test
  void document_isServed() {
    Answer answer = anonymous.get("/openapi.yml");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type").orElse("")).startsWith("application/yaml");
    assertThat(answer.text()).startsWith("openapi: 3.").contains("/v1/dev/tokens:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/swagger-ui", "/swagger-ui/"})
  void page_worksWithoutAnyOtherHost(String path) {
    Answer page = anonymous.get(path);

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type").orElse("")).startsWith("text/html");
    assertThat(page.text()).doesNotContain("http://", "https://", "src='//", "src=\"//");
    List<String> assets =
        ASSET.matcher(page.text()).results().map((MatchResult r) -> r.group(1)).toList();
    assertThat(assets).hasSizeGreaterThanOrEqualTo(4).contains("/openapi.yml");
    for (String asset : assets) {
      assertThat(anonymous.get(asset).status()).as(asset).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/swagger-ui/../application.properties",
        "/swagger-ui/%2e%2e/openapi.yml",
        "/swagger-ui/..%2f..%2f..%2f..%2fapplication.properties"
      })
  void page_givesNothingElse(String path) {
    assertThat(anonymous.get(path).status()).isIn(400, 404);
  }
}
