package social.feed.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.engine.EngineClients;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.testkit.LongRunning;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Compares the X-ray of each kind of action with what a plain client of DynamoDB reads. */
@LongRunning
@TestInstance(Lifecycle.PER_CLASS)
class ITXray {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private LocalPlatform platform;
  private DynamoDbClient plain;
  private final Map<String, String> tokens = new HashMap<>();

  @BeforeAll
  void start() throws Exception {
    // Nothing listens there. That events are published is an effect; what receives them is not.
    platform =
        LocalPlatform.start(
            PlatformSettings.inMemory()
                .withWebhooks(List.of(URI.create("http://127.0.0.1:9/hook"))));
    plain = EngineClients.dynamoDb(platform.dynamodb());
    for (var id : new String[] {"ann", "bob", "cleo", "dora"}) {
      var token = send("", "POST", "/v1/dev/tokens", "{\"user_id\":\"%s\"}".formatted(id));
      tokens.put(id, token.body.path("access_token").asText());
      send(
          id, "POST", "/v1/users", "{\"handle\":\"%1$s\",\"display_name\":\"%1$s\"}".formatted(id));
    }
    send("cleo", "POST", "/v1/users/ann/follow", "");
    send("dora", "POST", "/v1/users/ann/follow", "");
    platform.drain(PATIENCE);
  }

  @AfterAll
  void stop() {
    plain.close();
    platform.close();
    http.close();
  }

  private record Exchange(String id, int status, JsonNode body) {}

  private record RowKey(String pk, String sk) {}

  private Exchange send(String user, String method, String path, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(platform.api().resolve(path))
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (tokens.containsKey(user)) {
      request.header("Authorization", "Bearer " + tokens.get(user));
    }
    var response = http.send(request.build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s %s", path, response.body()).isLessThan(300);
    return new Exchange(
        response.headers().firstValue("X-Request-Id").orElse(""),
        response.statusCode(),
        JSON.readTree(response.body()));
  }

  /** Returns the whole table as a plain client reads it. */
  private Map<RowKey, Map<String, AttributeValue>> table() {
    var rows = new HashMap<RowKey, Map<String, AttributeValue>>();
    plain
        .scanPaginator(s -> s.tableName(PlatformSettings.TABLE).consistentRead(true))
        .items()
        .forEach(item -> rows.put(new RowKey(text(item, "PK"), text(item, "SK")), item));
    return rows;
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return item.getOrDefault(name, AttributeValue.fromS("")).s();
  }

  /** An action by its method, its path and its body. {@code POST} stands for the id of a post. */
  static Stream<Arguments> actions() {
    return Stream.of(
        Arguments.of("bob", "POST", "/v1/users/ann/follow", "", 3),
        Arguments.of("ann", "POST", "/v1/posts", "{\"text\":\"Hi #tag @bob\"}", 8),
        Arguments.of("bob", "POST", "/v1/posts/POST/like", "", 3),
        Arguments.of("bob", "POST", "/v1/posts/POST/comments", "{\"text\":\"Yes\"}", 3),
        Arguments.of("bob", "PUT", "/v1/users/ann/special-follow", "", 1),
        Arguments.of("dora", "PUT", "/v1/users/ann/mute", "", 1),
        Arguments.of("dora", "PUT", "/v1/users/ann/block", "", 2),
        Arguments.of("ann", "PATCH", "/v1/users/me", "{\"display_name\":\"Ann B\"}", 1),
        Arguments.of("bob", "DELETE", "/v1/posts/POST/like", "", 2),
        Arguments.of("cleo", "DELETE", "/v1/users/ann/follow", "", 3),
        Arguments.of("ann", "DELETE", "/v1/posts/POST", "", 5));
  }

  @ParameterizedTest
  @MethodSource("actions")
  void action_showsEachRowThatItWrote_asAPlainClientReadsIt(
      String user, String method, String path, String body, int rows) throws Exception {
    if (path.contains("POST")) {
      send("bob", "POST", "/v1/users/ann/follow", "");
      send("cleo", "POST", "/v1/users/ann/follow", "");
    }
    var post = send("ann", "POST", "/v1/posts", "{\"text\":\"Before #other\"}").body.path("id");
    if (method.equals("DELETE") && path.endsWith("/like")) {
      send(user, "POST", "/v1/posts/" + post.asText() + "/like", "");
    }
    platform.drain(PATIENCE);
    var before = table();

    var exchange = send(user, method, path.replace("POST", post.asText()), body);
    platform.drain(PATIENCE);

    var after = table();
    var trace = send("", "GET", "/v1/dev/xray/requests/" + exchange.id, "").body;
    var shown = new LinkedHashSet<RowKey>();
    for (var row : trace.path("rows")) {
      var key = new RowKey(row.path("pk").asText(), row.path("sk").asText());
      shown.add(key);
      compare(row, after.get(key));
    }
    assertThat(shown).containsAll(changed(before, after));
    assertThat(shown).hasSizeGreaterThanOrEqualTo(rows);
    assertThat(trace.path("pending").asInt()).as(trace.toPrettyString()).isZero();
    assertThat(trace.at("/request/status").asInt()).isEqualTo(exchange.status);
    assertThat(trace.at("/request/caller").asText()).isEqualTo(user);
    assertThat(trace.path("calls")).isNotEmpty();
    assertThat(trace.at("/request/dollars").asDouble()).isPositive();
  }

  private static Set<RowKey> changed(
      Map<RowKey, Map<String, AttributeValue>> before,
      Map<RowKey, Map<String, AttributeValue>> after) {
    var changed = new HashSet<RowKey>();
    changed.addAll(before.keySet());
    changed.addAll(after.keySet());
    changed.removeIf(key -> Objects.equals(before.get(key), after.get(key)));
    return changed;
  }

  /** Compares the attributes, and each entry of an index with a query of that index. */
  private void compare(JsonNode row, @Nullable Map<String, AttributeValue> item) {
    assertThat(row.path("is_there").asBoolean()).isEqualTo(item != null);
    if (item == null) {
      return;
    }
    assertThat(row.path("attributes").size()).isEqualTo(item.size());
    item.forEach(
        (name, value) -> {
          var text = value.s() != null ? value.s() : value.n();
          if (text != null) {
            assertThat(row.path("attributes").path(name).asText()).isEqualTo(text);
          }
        });
    long indexKeys = item.keySet().stream().filter(name -> name.matches("GSI.*PK")).count();
    assertThat(row.path("indexes").size()).isEqualTo((int) indexKeys);
    for (var entry : row.path("indexes")) {
      var index = entry.path("index").asText();
      var found =
          plain
              .query(
                  q ->
                      q.tableName(PlatformSettings.TABLE)
                          .indexName(index)
                          .keyConditionExpression("#pk = :pk AND #sk = :sk")
                          .expressionAttributeNames(
                              Map.of("#pk", index + "PK", "#sk", index + "SK"))
                          .expressionAttributeValues(
                              Map.of(
                                  ":pk", AttributeValue.fromS(entry.path("pk").asText()),
                                  ":sk", AttributeValue.fromS(entry.path("sk").asText()))))
              .items();
      assertThat(found)
          .anySatisfy(
              each -> {
                assertThat(text(each, "PK")).isEqualTo(row.path("pk").asText());
                assertThat(text(each, "SK")).isEqualTo(row.path("sk").asText());
                entry
                    .path("attributes")
                    .forEach(name -> assertThat(each).containsKey(name.asText()));
              });
    }
  }

  @Test
  void post_showsItsCalls_recordsAndEffects() throws Exception {
    var exchange = send("ann", "POST", "/v1/posts", "{\"text\":\"Seen #through\"}");
    platform.drain(PATIENCE);

    var trace = send("", "GET", "/v1/dev/xray/requests/" + exchange.id, "").body;

    var names = new HashSet<String>();
    trace.path("effects").forEach(effect -> names.add(effect.path("name").asText()));
    assertThat(names).contains("FanOut", "WriteTags", "Count", "CountOnce", "Publish");
    assertThat(trace.path("effects"))
        .anySatisfy(
            effect -> assertThat(effect.path("what").asText()).startsWith("post.created post:"));
    assertThat(trace.path("effects"))
        .allSatisfy(effect -> assertThat(effect.has("end_ms")).isTrue());
    assertThat(trace.path("records"))
        .anySatisfy(record -> assertThat(record.path("entity").asText()).isEqualTo("POST"));
    assertThat(trace.path("calls"))
        .anySatisfy(
            call -> {
              assertThat(call.at("/request/operation").asText()).isEqualTo("PutItem");
              assertThat(call.at("/request/details/condition").asText())
                  .contains("attribute_not_exists");
              assertThat(call.at("/units/table").asDouble()).isPositive();
              assertThat(call.at("/units/GSI1").asDouble()).isPositive();
            });
    // The calls of effects are shown with them.
    assertThat(trace.path("effects"))
        .anySatisfy(effect -> assertThat(effect.path("calls")).isNotEmpty());
  }

  @Test
  void read_showsIndexKeyConditionAndConsistency() throws Exception {
    var exchange = send("bob", "GET", "/v1/feed", "");

    var trace = send("", "GET", "/v1/dev/xray/requests/" + exchange.id, "").body;

    assertThat(trace.path("calls"))
        .anySatisfy(
            call -> {
              assertThat(call.at("/request/operation").asText()).isEqualTo("Query");
              assertThat(call.at("/request/index").asText()).isEqualTo("GSI3");
              assertThat(call.at("/request/keys").asText()).contains("GSI3PK", "\"FEED#bob\"");
              assertThat(call.at("/request/is_strong").asBoolean()).isFalse();
            });
  }

  @Test
  void partitions_beginWithTheWantedOnes_andHaveTheRowsThatAPlainClientReads() throws Exception {
    var post = send("ann", "POST", "/v1/posts", "{\"text\":\"Seen #stacked\"}").body.path("id");
    platform.drain(PATIENCE);
    var key = "POST#" + post.asText();

    var partitions =
        send("", "GET", "/v1/dev/xray/partitions?keys=POST%23" + post.asText() + ",USER%23ann", "")
            .body
            .path("items");

    assertThat(partitions.get(0).path("pk").asText()).isEqualTo(key);
    assertThat(partitions.get(1).path("pk").asText()).isEqualTo("USER#ann");
    assertThat(partitions.size()).isBetween(3, 16);
    var table = table();
    var shown = new HashSet<RowKey>();
    for (var row : partitions.get(0).path("rows")) {
      var at = new RowKey(row.path("pk").asText(), row.path("sk").asText());
      shown.add(at);
      compare(row, table.get(at));
    }
    assertThat(shown)
        .isEqualTo(
            table.keySet().stream()
                .filter(each -> each.pk.equals(key))
                .collect(Collectors.toSet()));
  }

  @Test
  void requests_areBounded() throws Exception {
    for (int i = 0; i < Xray.REQUESTS + 10; i++) {
      send("ann", "GET", "/v1/users/me", "");
    }
    var first = send("ann", "GET", "/v1/users/me", "");
    for (int i = 0; i < Xray.REQUESTS; i++) {
      send("ann", "GET", "/v1/users/me", "");
    }

    var request =
        HttpRequest.newBuilder(platform.api().resolve("/v1/dev/xray/requests/" + first.id)).build();
    assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(404);
    assertThat(send("", "GET", "/v1/dev/xray/requests", "").body.path("items")).isNotEmpty();
  }
}
