package social.feed.api.edge.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.ServerOnly;
import social.feed.table.kernel.trace.StoredContext;
import social.feed.table.row.Post;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.TestTable;

/** The traces that requests begin, in the log of a process with variables as deployed. */
@LongRunning
@ServerOnly
class ITRequestTraces {
  private static final String ID = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SAMPLED = "00-" + ID + "-00f067aa0ba902b7-01";
  private static final String NOT_SAMPLED = "00-" + ID + "-00f067aa0ba902b7-00";
  private static final String PROXY = "Feed-Trace-Parent";

  /** A request of a member, and what it left. */
  private record Traced(List<JsonNode> spans, String traceOfLine, boolean isStored) {}

  private static Traced post(Map<String, String> variables, String header, String value)
      throws IOException {
    return posts(variables, header, value).getFirst();
  }

  /** Sends a request with each value of a header to one process. */
  private static List<Traced> posts(Map<String, String> variables, String header, String... values)
      throws IOException {
    Map<String, String> all = new HashMap<>(variables);
    all.put("FEED_LOG_FORMAT", "json");
    try (TestTable table = TestTable.start();
        ForkedApi api = ForkedApi.start(table, all)) {
      Api ann = api.client().as("ann-Kp3x");
      ann.post("/v1/users", "{\"handle\":\"ann\",\"display_name\":\"A\"}");
      return Stream.of(values).map(value -> post(ann.with(header, value), api, table)).toList();
    }
  }

  private static Traced post(Api ann, ForkedApi api, TestTable table) {
    Answer created = ann.post("/v1/posts", "{\"text\":\"Wnq8\"}");
    String id = created.header("X-Request-Id").orElseThrow();
    Polling.until(
        () ->
            api.json().stream()
                .anyMatch(
                    line -> text(line, "message").equals("Request") && is(line, "request", id)));
    String trace =
        api.json().stream()
            .filter(line -> text(line, "message").equals("Request") && is(line, "request", id))
            .map(line -> text(line, "trace"))
            .findAny()
            .orElseThrow();
    List<JsonNode> spans =
        api.json().stream()
            .filter(line -> text(line, "message").startsWith("Span "))
            .filter(line -> trace.isEmpty() || is(line, "trace", trace))
            .toList();
    boolean isStored =
        table
            .table()
            .get(Post.key(created.at("id")))
            .orElseThrow()
            .containsKey(StoredContext.ATTRIBUTE);
    assertThat(spans.toString()).doesNotContain("Kp3x", "Wnq8");
    return new Traced(spans, trace, isStored);
  }

  private static String text(JsonNode line, String field) {
    JsonNode value = line.get(field);
    return value == null ? "" : value.coerceStringValue();
  }

  private static boolean is(JsonNode line, String field, String value) {
    return text(line, field).equals(value);
  }

  @Test
  void chosenRequest_hasASpanWithItsCalls_andItsItemTheContext() throws IOException {
    Traced post =
        post(Map.of("FEED_TRACING_EXPORTER", "log", "FEED_TRACING_RATIO", "1"), "X-None", "-");

    assertThat(post.isStored()).isTrue();
    assertThat(post.traceOfLine()).hasSize(32);
    assertThat(post.spans())
        .anyMatch(
            span ->
                is(span, "http.route", "/v1/posts")
                    && is(span, "http.response.status_code", "201")
                    && !text(span, "feed.request").isEmpty())
        .anyMatch(span -> is(span, "db.operation.name", "PutItem"));
  }

  @Test
  void clientsHeader_beginsNoTrace() throws IOException {
    Traced post =
        post(
            Map.of("FEED_TRACING_EXPORTER", "log", "FEED_TRACING_RATIO", "0"),
            "traceparent",
            SAMPLED);

    assertThat(post).isEqualTo(new Traced(List.of(), "", false));
  }

  @Test
  void withoutSettings_nothingIsTraced() throws IOException {
    assertThat(post(Map.of(), "traceparent", SAMPLED)).isEqualTo(new Traced(List.of(), "", false));
  }

  /** Such a proxy sets the header over a value of the client. */
  @Test
  void headerOfTheProxy_decides() throws IOException {
    Map<String, String> variables =
        Map.of(
            "FEED_TRACING_EXPORTER",
            "log",
            "FEED_TRACING_RATIO",
            "0",
            "FEED_TRACING_PARENT_HEADER",
            PROXY);

    List<Traced> posts = posts(variables, PROXY, SAMPLED, NOT_SAMPLED);

    assertThat(posts.getFirst().traceOfLine()).isEqualTo(ID);
    assertThat(posts.getLast().isStored()).isFalse();
  }

  /**
   * The exporter waits 10 seconds for an answer and then closes the connection. A request that
   * waited for that would be answered after it.
   */
  @Test
  void collectorThatNeverAnswers_holdsUpNoRequest() throws IOException {
    try (ServerSocket collector = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        TestTable table = TestTable.start();
        ForkedApi api =
            ForkedApi.start(
                table,
                Map.of(
                    "FEED_TRACING_EXPORTER",
                    "otlp",
                    "FEED_TRACING_RATIO",
                    "1",
                    "FEED_TRACING_ENDPOINT",
                    "http://127.0.0.1:%d/v1/traces".formatted(collector.getLocalPort())))) {
      collector.setSoTimeout(60_000);
      Api ann = api.client().as("ann");
      assertThat(ann.post("/v1/users", "{\"handle\":\"ann\",\"display_name\":\"A\"}").status())
          .isEqualTo(201);
      try (Socket connection = collector.accept()) {
        assertThat(ann.post("/v1/posts", "{\"text\":\"hello\"}").status()).isEqualTo(201);
        connection.setSoTimeout(1);
        assertThatThrownBy(() -> connection.getInputStream().readAllBytes())
            .as("the exporter still waits")
            .isInstanceOf(SocketTimeoutException.class);
      }
    }
  }
}
