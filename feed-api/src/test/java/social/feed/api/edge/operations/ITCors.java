package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.edge.cors.CrossOrigins;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.testkit.SseClient;

/** Requests of browser apps of other origins. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITCors {
  private static final String APP = "https://app.example.com";
  private static final String OTHER_APP = "https://beta.example.com:8443";
  private static final String ALLOWED = "Access-Control-Allow-Origin";

  private static final Map<String, Object> ORIGINS =
      Map.of("feed.cors.origins", APP + ", " + OTHER_APP);

  private final FeedServer server = FeedServer.start(ORIGINS);

  @AfterAll
  void stop() {
    server.close();
  }

  private Api app(String user) {
    return app(server, user);
  }

  private static Api app(FeedServer server, String user) {
    return server.anonymous().as(user).with("Origin", APP);
  }

  @ParameterizedTest
  @ValueSource(strings = {APP, OTHER_APP})
  void preflight_ofAnApp_allowsWhatTheApiUses(String origin) throws IOException {
    var preflight = preflight(origin, "PATCH", "authorization,content-type,idempotency-key");

    assertThat(preflight).startsWith("HTTP/1.1 200 ");
    assertThat(header(preflight, ALLOWED)).isEqualTo(origin);
    assertThat(header(preflight, "Access-Control-Allow-Methods")).contains("PATCH");
    assertThat(header(preflight, "Access-Control-Allow-Headers").toLowerCase(Locale.ROOT))
        .contains("authorization", "content-type", "idempotency-key");
    assertThat(header(preflight, "Access-Control-Max-Age")).isEqualTo("7200");
    assertThat(header(preflight, "Vary")).contains("Origin");
    assertThat(header(preflight, "Access-Control-Allow-Credentials")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "https://app.example.com.evil.example,GET,authorization",
    "http://app.example.com,GET,authorization",
    "https://evil.example,GET,authorization",
    "null,GET,authorization",
    "https://app.example.com,TRACE,authorization",
    "https://app.example.com,GET,x-other"
  })
  void preflight_ofAnotherOriginOrForMore_isNotAllowed(String origin, String method, String header)
      throws IOException {
    var preflight = preflight(origin, method, header);

    assertThat(preflight).doesNotStartWith("HTTP/1.1 2");
    assertThat(header(preflight, ALLOWED)).isEmpty();
  }

  @Test
  void response_canBeReadByTheApp() {
    var answer = Expect.status(200, app("ann").get("/v1/feed"));

    assertAllowed(answer);
    assertThat(answer.header("Vary").orElseThrow()).contains("Origin");
    assertThat(answer.header("Access-Control-Expose-Headers").orElseThrow().split(","))
        .containsExactlyElementsOf(CrossOrigins.RESPONSE_HEADERS);
    assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
  }

  /** A browser hides a response without the header from its app, refusals too. */
  @Test
  void problems_canBeReadByTheApp() {
    var ann = app("problems");

    assertAllowed(400, "invalid_request", ann.get("/v1/feed?limit=0"));
    assertAllowed(Expect.status(401, server.anonymous().with("Origin", APP).get("/v1/feed")));
    assertAllowed(Expect.status(404, ann.get("/v1/users/absent")));
    assertAllowed(Expect.status(404, ann.get("/v1/no-route")));
    assertAllowed(Expect.status(405, ann.delete("/v1/feed")));
    assertAllowed(
        Expect.status(
            415, ann.with("Content-Type", "text/plain").send("POST", "/v1/posts", "text")));
    assertAllowed(Expect.status(409, ann.post("/v1/posts", "{\"text\":\"hello\"}")));
  }

  @Test
  void refusalsOfRates_canBeReadByTheApp() {
    var limits = new HashMap<>(ORIGINS);
    limits.put("feed.limits.rate.per-second", 1);
    limits.put("feed.limits.rate.burst", 40);
    try (var limited = FeedServer.start(limits)) {
      var flooder = app(limited, "flooder");
      var invalid = limited.anonymous().with("Origin", APP).withToken("x.y.z");
      Answer refused = flooder.get("/v1/feed");
      Answer refusedToken = invalid.get("/v1/feed");
      for (int i = 0; i < 200 && refused.status() != 429; i++) {
        refused = flooder.get("/v1/feed");
      }
      for (int i = 0; i < 200 && refusedToken.status() != 429; i++) {
        refusedToken = invalid.get("/v1/feed");
      }

      assertAllowed(429, "rate_limited", refused);
      assertAllowed(429, "rate_limited", refusedToken);
    }
  }

  @Test
  void unchangedResponse_canBeReadByTheApp() {
    var ann = app(server.world().user("unchanged").id());
    var tag = Expect.status(200, ann.get("/v1/users/me")).header("ETag").orElseThrow();

    assertAllowed(Expect.status(304, ann.with("If-None-Match", tag).get("/v1/users/me")));
  }

  @Test
  void stream_canBeReadByTheApp() {
    try (SseClient events = app("streamed").stream("/v1/stream")) {
      assertThat(events.response().statusCode()).isEqualTo(200);
      assertThat(events.response().headers().firstValue(ALLOWED)).hasValue(APP);
      assertThat(events.response().headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
    }
  }

  /** The response is not changed; the browser withholds it. */
  @Test
  void response_toAnotherOrigin_hasNoHeader() throws IOException {
    var answer = send("GET", "https://evil.example", "");

    assertThat(answer).startsWith("HTTP/1.1 401 ");
    assertThat(header(answer, ALLOWED)).isEmpty();
    assertThat(header(send("GET", APP, ""), ALLOWED)).isEqualTo(APP);
  }

  @Test
  void server_withoutOrigins_allowsNone() {
    try (var closed = FeedServer.start(Map.of())) {
      var answer = closed.anonymous().with("Origin", "http://localhost:3000").get("/v1/feed");

      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.header(ALLOWED)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"*", "https://*.example.com", "https://app.example.com/", "app.example.com"})
  void server_withAnotherSetting_doesNotStart(String origin) {
    assertThatThrownBy(() -> server.another(Map.of("feed.cors.origins", origin)))
        .hasStackTraceContaining("feed.cors.origins must be origins such as")
        .hasStackTraceContaining(origin);
  }

  /** The lists are those of the document, and nothing more. */
  @Test
  void lists_areWhatTheApiUses() {
    var methods = new TreeSet<String>();
    var read = new TreeSet<String>();
    var sent = new TreeSet<String>();
    Document.operations(server.anonymous())
        .forEach(
            (name, operation) -> {
              methods.add(name.substring(0, name.indexOf(' ')).toUpperCase(Locale.ROOT));
              read.addAll(operation.headerParameters());
              operation.statuses().forEach(status -> sent.addAll(operation.headers(status)));
            });
    // HEAD is GET without a body. The document has the token as a scheme and the type as content.
    methods.add("HEAD");
    read.addAll(List.of("Authorization", "Content-Type"));

    assertThat(CrossOrigins.METHODS).containsExactlyElementsOf(methods);
    assertThat(CrossOrigins.REQUEST_HEADERS).containsExactlyElementsOf(read);
    assertThat(CrossOrigins.RESPONSE_HEADERS).containsExactlyElementsOf(sent);
  }

  private static void assertAllowed(int status, String code, Answer problem) {
    Expect.problem(status, code, problem);
    assertAllowed(problem);
  }

  private static void assertAllowed(Answer answer) {
    assertThat(answer.header(ALLOWED)).as(answer.text()).hasValue(APP);
  }

  private String preflight(String origin, String method, String headers) throws IOException {
    return send(
        "OPTIONS",
        origin,
        "Access-Control-Request-Method: %s\r\nAccess-Control-Request-Headers: %s\r\n"
            .formatted(method, headers));
  }

  /** Sends a request as through the gateway: a host that is not local. */
  private String send(String method, String origin, String headers) throws IOException {
    try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
      socket.setSoTimeout(10_000);
      var request =
          "%s /v1/users/me HTTP/1.1\r\nHost: api.example.com\r\nOrigin: %s\r\n%sConnection: close\r\n\r\n"
              .formatted(method, origin, headers);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String header(String answer, String name) {
    return Arrays.stream(answer.split("\r\n"))
        .filter(
            line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .reduce("", (left, right) -> left.isEmpty() ? right : left + "," + right);
  }
}
