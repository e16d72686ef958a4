package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.testkit.Polling;

/** A ring of bots on a whole platform, from its follows to the operator who slows it down. */
class ITSuspiciousEndToEnd {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LIST = "/v1/operator/suspicious";
  private static final Duration BETWEEN = Duration.ofMillis(400);
  private static final int BOTS = 5;
  private static final int TARGETS = 30;

  private final List<JsonNode> received = new CopyOnWriteArrayList<>();
  private HttpServer receiver;

  @BeforeEach
  void listen() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 10);
    receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    receiver.createContext(
        "/",
        exchange -> {
          received.add(JSON.readTree(exchange.getRequestBody()));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    receiver.start();
  }

  @AfterEach
  void stop() {
    receiver.stop(0);
  }

  @Test
  void ring_isListed_published_andSlowedDown() {
    try (var platform = LocalPlatform.start(PlatformSettings.inMemory().withoutXray())) {
      var operator = operator(platform);
      listenFor(operator);
      var targets = registered(platform, "target", TARGETS);
      var bots = registered(platform, "bot", BOTS);
      var reader = Caller.registered(platform.api(), "reader");

      for (var bot : bots) {
        targets.forEach(target -> assertThat(follow(bot, target)).isEqualTo(204));
      }
      targets.subList(0, TARGETS - 1).forEach(target -> follow(reader, target));

      var ring = bots.stream().map(Caller::id).toList();
      Polling.until(() -> listed(operator).containsAll(ring));
      Polling.until(() -> published().containsAll(ring));
      assertThat(listed(operator)).containsExactlyInAnyOrderElementsOf(ring);

      var until = "{\"until\":\"" + Instant.now().plus(Duration.ofDays(1)) + "\"}";
      assertThat(operator.put(LIST + "/bot0/slow-down", until).status()).isEqualTo(204);
      assertThat(follow(bots.getFirst(), reader)).isEqualTo(429);
      assertThat(follow(bots.getLast(), reader)).isEqualTo(204);
      assertThat(operator.post(LIST + "/bot1/dismiss").status()).isEqualTo(204);
      assertThat(listed(operator)).doesNotContain("bot1").contains("bot0");
      assertThat(reader.get(LIST).status()).isEqualTo(404);
    }
  }

  /** A webhook applies a second or two after it is created. */
  private void listenFor(Caller operator) {
    var address = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
    var webhook =
        "{\"url\":\"%s\",\"event_types\":[\"account.suspicious\",\"account.registered\"]}"
            .formatted(address);
    assertThat(operator.post("/v1/webhooks", webhook).status()).isEqualTo(201);
    var next = new AtomicLong(System.nanoTime());
    Polling.until(
        () -> {
          if (System.nanoTime() >= next.get()) {
            Caller.registered(operator.api(), "early" + next.getAndAdd(BETWEEN.toNanos()));
          }
          return !received.isEmpty();
        });
  }

  /** The accounts that the webhook was called for as suspicious. */
  private List<String> published() {
    return received.stream()
        .filter(event -> event.path("type").asText().equals("account.suspicious"))
        .map(event -> event.path("data").path("user_id").asText())
        .toList();
  }

  private static List<Caller> registered(LocalPlatform platform, String name, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Caller.registered(platform.api(), name + i))
        .toList();
  }

  private static int follow(Caller follower, Caller followee) {
    return follower.post("/v1/users/" + followee.id() + "/follow").status();
  }

  private static List<String> listed(Caller operator) {
    var items = operator.get(LIST).body().path("items");
    return StreamSupport.stream(items.spliterator(), false)
        .map(item -> item.path("user_id").asText())
        .toList();
  }

  private static Caller operator(LocalPlatform platform) {
    var token =
        new Caller(platform.api(), "operator", "")
            .post("/v1/dev/tokens", "{\"user_id\":\"operator\",\"scopes\":[\"feed:operate\"]}")
            .text("access_token");
    return new Caller(platform.api(), "operator", token);
  }
}
