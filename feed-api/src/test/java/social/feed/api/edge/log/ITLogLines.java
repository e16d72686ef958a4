package social.feed.api.edge.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.ServerOnly;
import social.feed.table.log.EmbeddedMetrics;
import social.feed.table.log.PlatformMetric;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.Key;
import social.feed.testkit.Polling;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The lines of the API in a process of its own, with the variables that the stacks set. */
@ServerOnly
class ITLogLines {
  private static final String HEADER = "Feed-Request-Id";
  private static final Map<String, String> DEPLOYED =
      Map.of(
          "FEED_LOG_FORMAT",
          "json",
          "FEED_LOG_METRICS",
          "true",
          "FEED_LOG_REQUEST_ID_HEADER",
          HEADER);

  /** What names a person or is secret, so that it would be found in any line. */
  private static final String ALICE = "alice-Kp3xQ7";

  private static final String BOB = "bob_Zt9wV2";
  private static final String TEXT = "Wnq8-the-text-of-a-post";

  private static TestTable table;
  private static ForkedApi process;
  private static Api anonymous;
  private static Api alice;

  @BeforeAll
  static void start() throws IOException {
    table = TestTable.start();
    process = ForkedApi.start(table, DEPLOYED);
    anonymous = process.client();
    alice = member(ALICE, "handle_of_alice");
  }

  @AfterAll
  static void stop() {
    process.close();
    table.close();
  }

  private static Api member(String id, String handle) {
    Api member = anonymous.as(id);
    assertThat(
            member
                .post("/v1/users", "{\"handle\":\"%s\",\"display_name\":\"A\"}".formatted(handle))
                .status())
        .isIn(200, 201);
    return member;
  }

  private static String idOf(Answer answer) {
    return answer.header("X-Request-Id").orElseThrow();
  }

  /** Returns the lines of a request, when the line that ends it is there. */
  private static List<JsonNode> linesOf(ForkedApi of, String id) {
    Polling.until(
        () -> of.lines().stream().anyMatch(it -> isOf(it, id, "\"message\":\"Request\"")));
    return of.json().stream().filter(line -> id.equals(text(line, "request"))).toList();
  }

  private static boolean isOf(String line, String id, String message) {
    return line.contains(id) && line.contains(message);
  }

  private static JsonNode lineOf(Answer answer) {
    List<JsonNode> lines = linesOf(process, idOf(answer));
    return lines.getLast();
  }

  private static String text(JsonNode line, String field) {
    JsonNode value = line.get(field);
    return value == null ? "" : value.coerceStringValue();
  }

  @Test
  void request_hasALine_withTheIdOfTheResponse_andWithoutTheNameOfTheCaller() {
    Answer answer = alice.get("/v1/users/" + ALICE);

    JsonNode line = lineOf(answer);
    assertThat(text(line, "route")).isEqualTo("GET /v1/users/{id}");
    assertThat(text(line, "caller")).isEqualTo(Pseudonyms.ofMember(ALICE));
    assertThat(text(line, "status")).isEqualTo("200");
    assertThat(text(line, "level")).isEqualTo("INFO");
    assertThat(text(line, "read_units"))
        .isEqualTo(answer.header("X-Consumed-Read-Units").orElseThrow());
    assertThat(Double.parseDouble(text(line, "ms"))).isPositive();
    assertThat(line.get("items")).isNull();
  }

  /** The function logs the same hash of the item with the change. */
  @Test
  void write_logsThePost_andTheHashesOfItsItems() {
    Answer created = alice.post("/v1/posts", "{\"text\":\"%s\"}".formatted(TEXT));
    String post = created.at("id");
    Answer liked = alice.post("/v1/posts/" + post + "/like");

    assertThat(text(lineOf(created), "post")).isEqualTo(post);
    assertThat(text(lineOf(created), "items").split(" "))
        .contains(Pseudonyms.ofItem(new Key("POST#" + post, "META")));
    assertThat(text(lineOf(liked), "post")).isEqualTo(post);
    assertThat(text(lineOf(liked), "route")).isEqualTo("POST /v1/posts/{id}/like");
    assertThat(text(lineOf(liked), "items").split(" "))
        .contains(Pseudonyms.ofItem(new Key("POST#" + post, "LIKE#" + ALICE)));
  }

  @Test
  void transactionsAndDeletions_logTheirItemsToo() {
    Api dora = member("dora-Rt5", "handle_of_dora");
    Answer followed = dora.post("/v1/users/" + ALICE + "/follow");
    String post = alice.post("/v1/posts", "{\"text\":\"%s\"}".formatted(TEXT)).at("id");
    dora.post("/v1/posts/" + post + "/like");
    Answer unliked = dora.delete("/v1/posts/" + post + "/like");
    Answer none = dora.delete("/v1/posts/" + post + "/like");

    assertThat(followed.status()).isEqualTo(204);
    assertThat(text(lineOf(followed), "items").split(" "))
        .contains(
            Pseudonyms.ofItem(new Key("FOLLOWEE#" + ALICE, "FOLLOWER#dora-Rt5")),
            Pseudonyms.ofItem(new Key("USER#dora-Rt5", "QUOTA")));
    assertThat(text(lineOf(unliked), "items").split(" "))
        .contains(Pseudonyms.ofItem(new Key("POST#" + post, "LIKE#dora-Rt5")));
    assertThat(none.status()).isEqualTo(204);
  }

  @Test
  void request_withoutTokenOrRoute_hasALineWithoutACaller() {
    Answer refused = anonymous.get("/v1/feed");
    Answer unknown = alice.get("/v1/" + BOB);

    assertThat(text(lineOf(refused), "status")).isEqualTo("401");
    assertThat(lineOf(refused).get("caller")).isNull();
    assertThat(text(lineOf(unknown), "route")).isEqualTo("none");
    assertThat(text(lineOf(unknown), "status")).isEqualTo("404");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "JKJaXmPLvHcESHA=",
        "d3f1c2b0-6a55-4d8e-9f4e-0c7d8f7f9a11",
        "a+b/c=_-",
        "12345678"
      })
  void idOfTheGateway_isTheIdOfTheRequest(String id) {
    Answer answer = alice.with(HEADER, id).get("/v1/users/me");

    assertThat(idOf(answer)).isEqualTo(id);
    assertThat(text(linesOf(process, id).getLast(), "request")).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "short",
        "with a space",
        "\"},{\"level\":\"ERROR",
        "1234567\\n12345678",
        "12345678;X-Other: 1",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "${jndi:ldap://x}",
        "%0d%0aSet-Cookie",
        "gr\u00fc\u00dfe-123"
      })
  void idInAnotherForm_isReplaced(String id) {
    Answer answer = alice.with(HEADER, id).get("/v1/users/me");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(idOf(answer)).isNotEqualTo(id).matches("[0-9a-f-]{36}");
    assertThat(text(lineOf(answer), "request")).isEqualTo(idOf(answer));
    assertThat(process.lines()).noneMatch(line -> line.contains(id));
  }

  /** The gateway overwrites the header, so two of them are not the gateway's. */
  @Test
  void idThatIsRepeated_isReplaced() {
    Answer answer = alice.with(HEADER, "12345678").with(HEADER, "87654321").get("/v1/users/me");

    assertThat(idOf(answer)).hasSize(36);
  }

  @Test
  void responseOfEveryKind_hasAnId() {
    assertThat(idOf(anonymous.get("/v1/feed"))).hasSize(36);
    assertThat(idOf(alice.post("/v1/posts", "{"))).hasSize(36);
    assertThat(idOf(alice.send("PUT", "/v1/feed", null))).hasSize(36);
    assertThat(idOf(alice.get("/v1/posts/nothing"))).hasSize(36);
  }

  /** A stored item that cannot be read is a defect; the message of its exception names the key. */
  @Test
  void failure_isOneLine_withItsStack_andWithoutTheMember() {
    table
        .table()
        .client()
        .putItem(
            p ->
                p.tableName(table.table().name())
                    .item(
                        Map.of(
                            "PK", AttributeValue.fromS("USER#" + BOB),
                            "SK", AttributeValue.fromS("META"),
                            "entity", AttributeValue.fromS("no such kind"))));

    Answer answer = alice.with(HEADER, "id-of-the-failure").get("/v1/users/" + BOB);

    assertThat(answer.status()).isEqualTo(500);
    List<JsonNode> lines = linesOf(process, "id-of-the-failure");
    assertThat(lines).hasSize(2);
    JsonNode failure = lines.getFirst();
    assertThat(text(failure, "level")).isEqualTo("ERROR");
    assertThat(text(failure, "instance")).isEqualTo(answer.at("instance"));
    assertThat(text(failure, "caller")).isEqualTo(Pseudonyms.ofMember(ALICE));
    assertThat(text(failure, "route")).isEqualTo("GET /v1/users/{id}");
    assertThat(text(failure, "stack"))
        .contains("MalformedItemException")
        .contains("\n\tat social.feed.")
        .contains("USER#" + Pseudonyms.ofMember(BOB))
        .doesNotContain(BOB);
    assertThat(text(lines.getLast(), "status")).isEqualTo("500");
    assertNothingPersonal(process);
  }

  private static void assertNothingPersonal(ForkedApi of) {
    assertThat(of.lines())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(ForkedApi.parsed(line).isObject()).isTrue())
        .noneMatch(line -> line.contains(ALICE) || line.contains(BOB) || line.contains(TEXT))
        .noneMatch(line -> line.contains("handle_of_") || line.contains("eyJ"));
  }

  @Test
  void lines_areText_byDefault_andNoneOfARequest() throws Exception {
    try (ForkedApi plain = ForkedApi.start(table, Map.of())) {
      Answer answer = plain.client().with(HEADER, "12345678").get("/v1/feed");
      assertThat(idOf(answer)).as("a header that is not set is not trusted").hasSize(36);
      plain.stop();

      assertThat(plain.lines())
          .allMatch(line -> line.matches("\\d{4}-\\d\\d-\\d\\dT.* (INFO|WARN) .*"))
          .noneMatch(line -> line.contains("Request "));
    }
  }

  @Test
  void formatThatDoesNotExist_isRefused() throws Exception {
    try (ForkedApi wrong = ForkedApi.start(table, Map.of("FEED_LOG_FORMAT", "xml"))) {
      Polling.until(
          () ->
              wrong.lines().stream()
                  .anyMatch(line -> line.contains("feed.log.format must be text or json")));
    }
  }

  /** The lines follow AWS's specification of the embedded metric format. */
  @Test
  void metrics_haveTheCountedUnitsAndTheLatencyOfEachRequest() throws Exception {
    try (ForkedApi api = ForkedApi.start(table, DEPLOYED)) {
      Api client = api.client();
      Api carol = client.as("carol");
      int before = EmbeddedMetrics.VALUES + 20;
      IntStream.range(0, before).forEach(_ -> carol.get("/v1/users/" + ALICE));
      carol.send("HEAD", "/v1/users/" + ALICE, null);
      carol.post("/v1/users", "{\"handle\":\"carol\",\"display_name\":\"C\"}");
      try (var events = carol.stream("/v1/stream")) {
        assertThat(events.response().statusCode()).isEqualTo(200);
      }
      Map<String, Double> reads = scraped(client.get("/metrics").text(), "read");
      Map<String, Double> writes = scraped(client.get("/metrics").text(), "write");
      api.stop();

      List<JsonNode> metrics =
          api.json().stream().filter(line -> line.get("_aws") != null).toList();
      assertThat(metrics).allSatisfy(ITLogLines::assertEmbeddedMetrics);
      assertThat(values(metrics, PlatformMetric.LATENCY, "GET /v1/users/{id}"))
          .hasSize(before + 1)
          .allMatch(millis -> millis > 0);
      assertThat(sums(metrics, PlatformMetric.ROUTE_READ_UNITS))
          .allSatisfy((route, sum) -> assertThat(sum).isCloseTo(of(reads, route), within(1e-6)));
      assertThat(sums(metrics, PlatformMetric.ROUTE_READ_UNITS))
          .containsKeys("GET /v1/users/{id}", "GET /v1/stream");
      assertThat(sums(metrics, PlatformMetric.ROUTE_WRITE_UNITS))
          .containsOnlyKeys("POST /v1/users", "GET /v1/stream")
          .allSatisfy((route, sum) -> assertThat(sum).isCloseTo(of(writes, route), within(1e-6)));
      assertNothingPersonal(api);
      assertThat(api.lines().stream().filter(line -> line.contains("\"message\":\"Request\"")))
          .as("the page of operations says so")
          .isNotEmpty()
          .allMatch(line -> line.length() < 400);
      assertThat(sumOfLines(api, "read_units"))
          .as("the lines of the requests, without the polls of the stream")
          .isPositive()
          .isLessThanOrEqualTo(reads.values().stream().mapToDouble(it -> it).sum());
    }
  }

  /** The names of routes in /metrics have no method; each path is used with one method here. */
  private static double of(Map<String, Double> scraped, String route) {
    return scraped.getOrDefault(route.substring(route.indexOf(' ') + 1), 0.0);
  }

  private static Map<String, Double> scraped(String metrics, String kind) {
    return Pattern.compile("feed_" + kind + "_units_total\\{route=\"([^\"]+)\"} ([0-9.E]+)")
        .matcher(metrics)
        .results()
        .collect(
            Collectors.toMap(
                it -> it.group(1).replaceFirst("\\{\\?.*", ""),
                it -> Double.parseDouble(it.group(2)),
                Double::sum,
                TreeMap::new));
  }

  private static double sumOfLines(ForkedApi api, String field) {
    return api.json().stream()
        .filter(line -> line.get(field) != null)
        .mapToDouble(line -> Double.parseDouble(text(line, field)))
        .sum();
  }

  /** AWS: "Specification: embedded metric format", as far as these lines use it. */
  private static void assertEmbeddedMetrics(JsonNode line) {
    JsonNode metadata = Objects.requireNonNull(line.get("_aws"));
    assertThat(Objects.requireNonNull(metadata.get("Timestamp")).getLongValue())
        .isCloseTo(System.currentTimeMillis(), within(600_000L));
    List<JsonNode> directives = list(metadata, "CloudWatchMetrics");
    assertThat(directives).hasSize(1);
    JsonNode directive = directives.getFirst();
    assertThat(text(directive, "Namespace")).isEqualTo(PlatformMetric.NAMESPACE);
    List<JsonNode> sets = list(directive, "Dimensions");
    assertThat(sets).hasSize(1);
    assertThat(sets.getFirst().size()).isBetween(1, 30);
    for (JsonNode name : sets.getFirst().values()) {
      assertThat(Objects.requireNonNull(line.get(name.getStringValue())).getStringValue())
          .isNotBlank()
          .hasSizeLessThan(1_024);
    }
    List<JsonNode> metrics = list(directive, "Metrics");
    assertThat(metrics).hasSizeBetween(1, 100);
    for (JsonNode metric : metrics) {
      JsonNode value = Objects.requireNonNull(line.get(text(metric, "Name")));
      assertThat(text(metric, "Unit")).isIn("Count", "Milliseconds");
      if (value.isArray()) {
        assertThat(value.size()).isBetween(1, 100);
        assertThat(value.values()).allMatch(JsonNode::isNumber);
      } else {
        assertThat(value.isNumber()).isTrue();
      }
    }
  }

  private static List<JsonNode> list(JsonNode parent, String name) {
    return StreamSupport.stream(
            Objects.requireNonNull(parent.get(name)).values().spliterator(), false)
        .toList();
  }

  private static Map<String, Double> sums(List<JsonNode> lines, PlatformMetric metric) {
    return lines.stream()
        .filter(line -> line.get(metric.label()) != null)
        .collect(
            Collectors.toMap(
                line -> text(line, "Route"),
                line -> Double.parseDouble(text(line, metric.label())),
                Double::sum,
                TreeMap::new));
  }

  private static List<Double> values(List<JsonNode> lines, PlatformMetric metric, String route) {
    return lines.stream()
        .filter(line -> text(line, "Route").equals(route))
        .filter(line -> line.get(metric.label()) != null)
        .flatMap(line -> list(line, metric.label()).stream())
        .map(JsonNode::getDoubleValue)
        .toList();
  }
}
