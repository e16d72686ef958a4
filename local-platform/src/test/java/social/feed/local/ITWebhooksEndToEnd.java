package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.local.PlatformSettings.Processes;
import social.feed.testkit.Polling;

/** Webhooks of the API on a whole platform, which was started without any. */
class ITWebhooksEndToEnd {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration BETWEEN = Duration.ofMillis(400);

  private final List<JsonNode> received = new CopyOnWriteArrayList<>();
  private final AtomicInteger status = new AtomicInteger(204);
  private HttpServer receiver;

  @BeforeEach
  void listen() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 10);
    receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    receiver.createContext(
        "/",
        exchange -> {
          int answer = status.get();
          var event = JSON.readTree(exchange.getRequestBody());
          if (answer < 300) {
            received.add(event);
          }
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    receiver.start();
  }

  @AfterEach
  void stop() {
    receiver.stop(0);
  }

  private String address() {
    return "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
  }

  private String created(Caller operator, String more) {
    var answer = operator.post("/v1/webhooks", "{\"url\":\"%s\"%s}".formatted(address(), more));
    assertThat(answer.status()).isEqualTo(201);
    return answer.text("id");
  }

  private static Caller operator(LocalPlatform platform) {
    var token =
        new Caller(platform.api(), "operator", "")
            .post("/v1/dev/tokens", "{\"user_id\":\"operator\",\"scopes\":[\"feed:operate\"]}")
            .text("access_token");
    return new Caller(platform.api(), "operator", token);
  }

  private boolean hasReceived(String type, String text) {
    return received.stream()
        .anyMatch(
            event ->
                event.path("type").asText().equals(type)
                    && event.path("data").path("text").asText().equals(text));
  }

  /**
   * Repeats an action until it has an event. A webhook applies a second or two after it is created.
   */
  private static void repeatUntil(Runnable action, BooleanSupplier isThere) {
    var next = new AtomicLong(System.nanoTime());
    Polling.until(
        () -> {
          if (System.nanoTime() >= next.get()) {
            action.run();
            next.addAndGet(BETWEEN.toNanos());
          }
          return isThere.getAsBoolean();
        });
  }

  private void awaitAPost(Caller author, String text) {
    repeatUntil(() -> author.writes(text), () -> hasReceived("post.created", text));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void webhook_getsWhatItWants_untilItIsDeleted(int processes) {
    var settings = PlatformSettings.inMemory().withoutXray();
    var split =
        new PlatformSettings(
            settings.data(),
            settings.port(),
            settings.dynamodbPort(),
            settings.queuePort(),
            settings.celebrityThreshold(),
            new Processes(processes, processes),
            false,
            List.of());
    try (var platform = LocalPlatform.start(split)) {
      var operator = operator(platform);
      var ann = Caller.registered(platform.api(), "ann");
      var id = created(operator, ",\"event_types\":[\"post.created\"]");

      awaitAPost(ann, "first");

      assertThat(received).allMatch(event -> event.path("type").asText().equals("post.created"));
      Polling.until(
          () ->
              operator
                  .get("/v1/webhooks/" + id + "/deliveries")
                  .body()
                  .path("items")
                  .path(0)
                  .path("delivered")
                  .asBoolean());

      var other = created(operator, ",\"event_types\":[\"account.changed\"]");
      assertThat(operator.delete("/v1/webhooks/" + id).status()).isEqualTo(204);
      repeatUntil(
          () -> ann.patch("/v1/users/me", "{\"bio\":\"%d\"}".formatted(System.nanoTime())),
          () ->
              received.stream()
                  .anyMatch(event -> event.path("type").asText().equals("account.changed")));
      // The new one is known, so the deletion of the old one is known to the lane too.
      received.clear();
      ann.writes("last");
      ann.patch("/v1/users/me", "{\"display_name\":\"Last\"}");
      Polling.until(
          () ->
              received.stream()
                  .anyMatch(
                      event -> event.path("data").path("display_name").asText().equals("Last")));
      assertThat(hasReceived("post.created", "last")).isFalse();
      assertThat(operator.delete("/v1/webhooks/" + other).status()).isEqualTo(204);
    }
  }

  @Test
  void webhook_thatFails_getsTheEventLater_andListsBoth() {
    try (var platform = LocalPlatform.start(PlatformSettings.inMemory())) {
      var operator = operator(platform);
      var ann = Caller.registered(platform.api(), "ann");
      var id = created(operator, ",\"event_types\":[\"post.created\"]");
      awaitAPost(ann, "first");
      status.set(500);
      ann.writes("second");
      Polling.until(
          () ->
              operator
                  .get("/v1/webhooks/" + id + "/deliveries")
                  .body()
                  .toString()
                  .contains("answered 500"));

      status.set(204);

      Polling.until(() -> hasReceived("post.created", "second"));
    }
  }
}
