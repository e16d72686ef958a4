package social.feed.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import social.feed.engine.EngineClients;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.streams.sink.SearchSink;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SqsSinkDeadLetters;
import social.feed.testkit.LongRunning;

/** Tests what the machine room shows and does. */
@LongRunning
@TestInstance(Lifecycle.PER_CLASS)
class ITMachineRoom {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private LocalPlatform platform;

  @BeforeAll
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
  }

  @AfterAll
  void stop() {
    platform.close();
    http.close();
  }

  private HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(platform.api().resolve(path))
            .method(method, BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }

  private JsonNode items(String path) throws IOException, InterruptedException {
    return JSON.readTree(send("GET", "/v1/dev/machine/" + path).body()).path("items");
  }

  @Test
  void lanes_areBoth_andIdleAfterADrain() throws Exception {
    platform.drain(Duration.ofSeconds(60));

    var lanes = items("lanes");

    assertThat(lanes.findValuesAsText("lane")).containsExactly("counts", "effects");
    assertThat(lanes)
        .allSatisfy(
            lane -> {
              assertThat(lane.path("is_idle").asBoolean()).isTrue();
              assertThat(lane.path("waiting").asInt()).isZero();
              assertThat(lane.path("lag_ms").asDouble()).isZero();
            });
  }

  private HttpResponse<String> sendAsAnn(String method, String path, String body)
      throws IOException, InterruptedException {
    var token =
        http.send(
            HttpRequest.newBuilder(platform.api().resolve("/v1/dev/tokens"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"user_id\":\"ann\"}"))
                .build(),
            BodyHandlers.ofString());
    return http.send(
        HttpRequest.newBuilder(platform.api().resolve(path))
            .header("Content-Type", "application/json")
            .header(
                "Authorization",
                "Bearer " + JSON.readTree(token.body()).path("access_token").asText())
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private int registrations() throws IOException, InterruptedException {
    return JSON.readTree(send("GET", "/v1/dev/machine/lanes").body())
        .path("registrations")
        .asInt(-1);
  }

  /** The page reads the accounts again when the number changes. */
  @Test
  void registrations_areCounted() throws Exception {
    int before = registrations();
    var ann = "{\"handle\":\"ann\",\"display_name\":\"Ann\"}";

    assertThat(sendAsAnn("POST", "/v1/users", ann).statusCode()).isEqualTo(201);
    assertThat(sendAsAnn("POST", "/v1/users", "{}").statusCode()).isGreaterThanOrEqualTo(400);

    assertThat(registrations()).isEqualTo(before + 1);
  }

  @Test
  void withoutTheXray_itSaysSo_andTheLanesHaveNoLag() throws Exception {
    try (var off = LocalPlatform.start(PlatformSettings.inMemory().withoutXray())) {
      var requests =
          http.send(
              HttpRequest.newBuilder(off.api().resolve("/v1/dev/xray/requests")).build(),
              BodyHandlers.ofString());
      var lanes =
          http.send(
              HttpRequest.newBuilder(off.api().resolve("/v1/dev/machine/lanes")).build(),
              BodyHandlers.ofString());

      assertThat(JSON.readTree(requests.body()).path("is_on").asBoolean(true)).isFalse();
      assertThat(JSON.readTree(lanes.body()).path("items")).hasSize(2);
      assertThat(lanes.body()).doesNotContain("lag_ms", "waiting");
    }
    assertThat(JSON.readTree(send("GET", "/v1/dev/xray/requests").body()).path("is_on").asBoolean())
        .isTrue();
  }

  @Test
  void routes_haveCurvesOfFifteenMinutes() throws Exception {
    send("GET", "/v1/feed");
    assertThat(sendAsAnn("GET", "/v1/feed", "").statusCode()).isEqualTo(200);

    assertThat(items("routes"))
        .anySatisfy(
            route -> {
              assertThat(route.path("route").asText()).isEqualTo("GET /v1/feed");
              assertThat(route.path("requests")).hasSize(RouteCurves.STEPS);
              assertThat(sum(route.path("requests"))).isPositive();
              assertThat(sum(route.path("read_units"))).isPositive();
              assertThat(sum(route.path("p99"))).isPositive();
            });
  }

  private static double sum(JsonNode values) {
    double sum = 0;
    for (var value : values) {
      sum += value.asDouble();
    }
    return sum;
  }

  /** As the command does. */
  @Test
  void eventThatASinkDidNotTake_isPublishedAgain() throws Exception {
    var data = new TreeMap<String, Object>(Map.of("user_id", "eve"));
    var event =
        new DomainEvent(EventType.ACCOUNT_ERASED, Instant.EPOCH, "account:eve", "1", "eve", data);
    var queue = platform.deadLetters();
    try (var client = EngineClients.sqs(queue.resolve("/"))) {
      new SqsSinkDeadLetters(client, queue.toString())
          .send(new SinkMessage(SearchSink.NAME, 0, Instant.EPOCH, event), "away");
    }

    var shown = items("dead-letters");
    assertThat(shown).hasSize(1);
    var path = "/v1/dev/machine/dead-letters/" + shown.get(0).path("id").asText();
    assertThat(send("POST", path + "/redrive").body()).contains("Applied: Publish");
    assertThat(items("dead-letters")).isEmpty();
  }

  @Test
  void deadLetter_isShown_andDropped() throws Exception {
    var queue = platform.deadLetters();
    try (var client = EngineClients.sqs(queue.resolve("/"))) {
      client.sendMessage(m -> m.queueUrl(queue.toString()).messageBody("no dead letter"));
    }

    var shown = items("dead-letters");
    assertThat(shown).hasSize(1);
    assertThat(shown.get(0).path("page").asText()).contains("no dead letter");
    var path = "/v1/dev/machine/dead-letters/" + shown.get(0).path("id").asText();
    assertThat(send("POST", path + "/redrive").body()).contains("It cannot be read");
    assertThat(items("dead-letters")).hasSize(1);
    assertThat(send("DELETE", path).body()).contains("Dropped");
    assertThat(items("dead-letters")).isEmpty();
    assertThat(send("DELETE", path).statusCode()).isEqualTo(404);
  }
}
