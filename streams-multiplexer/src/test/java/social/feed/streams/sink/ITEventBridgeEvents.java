package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.event.EventType;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;

/** Requests to a server that answers as EventBridge documents it. */
class ITEventBridgeEvents {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ACCEPTED =
      "{\"FailedEntryCount\":0,\"Entries\":[{\"EventId\":\"11710aed-b79e-4468-a20b-bb3c0c3b4860\"}]}";
  private static final String REFUSED =
      """
      {"FailedEntryCount":1,"Entries":[{"ErrorCode":"InternalFailure","ErrorMessage":"Try it again"}]}
      """;

  private final List<JsonNode> entries = new CopyOnWriteArrayList<>();
  private final List<String> targets = new CopyOnWriteArrayList<>();
  private final CountDownLatch isOver = new CountDownLatch(1);
  private HttpServer server;
  private EventBridgeClient client;
  private volatile int status = 200;
  private volatile String answer = ACCEPTED;
  private volatile boolean hangs;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 10);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          targets.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target")));
          JSON.readTree(body).path("Entries").forEach(entries::add);
          if (hangs) {
            await();
          }
          var bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    client = SinkSamples.clientOf(server);
  }

  private void await() {
    try {
      isOver.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void stop() {
    isOver.countDown();
    client.close();
    server.stop(0);
  }

  @Test
  void event_isAnEntryOfItsType() throws JsonProcessingException {
    var event = event("ann");

    new EventBridgeEvents(client, "feed-bus").publish(event);

    assertThat(targets).containsExactly("AWSEvents.PutEvents");
    var entry = entries.getFirst();
    assertThat(entry.path("EventBusName").asText()).isEqualTo("feed-bus");
    assertThat(entry.path("Source").asText()).isEqualTo("feed.events");
    assertThat(entry.path("DetailType").asText()).isEqualTo("account.erased");
    assertThat(entry.path("Time").asLong()).isEqualTo(event.at().getEpochSecond());
    assertThat(EventJson.read(entry.path("Detail").asText())).isEqualTo(event);
  }

  /** The status of a request with entries that failed is 200. */
  @Test
  void entryThatFails_isAFailure() {
    answer = REFUSED;
    assertThatIllegalStateException()
        .isThrownBy(() -> new EventBridgeEvents(client, "bus").publish(event("ann")))
        .withMessageContaining("InternalFailure");
  }

  @Test
  void requestThatFails_isAFailure_afterFurtherAttempts() {
    status = 500;
    answer = "{\"__type\":\"InternalException\"}";
    assertThatIllegalStateException()
        .isThrownBy(() -> new EventBridgeEvents(client, "bus").publish(event("ann")))
        .withMessageContaining("did not confirm");
    assertThat(entries).hasSizeGreaterThan(1);
  }

  @Test
  void serviceThatHangs_failsInTime() {
    hangs = true;
    var begin = System.nanoTime();
    assertThatIllegalStateException()
        .isThrownBy(() -> new EventBridgeEvents(client, "bus").publish(event("ann")));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(40));
  }

  @Test
  void eventThatIsTooLarge_isNotSent() {
    var bytes = EventBridgeEvents.MAX_BYTES;
    assertThatIllegalStateException()
        .isThrownBy(() -> new EventBridgeEvents(client, "bus").publish(event("a".repeat(bytes))))
        .withMessageContaining("EventBridge accepts " + bytes);
    assertThat(entries).isEmpty();
  }

  private static DomainEvent event(String user) {
    return new DomainEvent(
        EventType.ACCOUNT_ERASED,
        Instant.parse("2026-03-01T12:00:00Z"),
        "account:ann",
        "1",
        "ann",
        new TreeMap<>(Map.of("user_id", user)));
  }
}
