package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.event.webhook.WebhookCalls;
import social.feed.event.webhook.WebhookSecret;
import social.feed.streams.event.EventContent;
import social.feed.table.row.Webhook;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;

/**
 * EventBridge, a real broker of Kafka and two webhooks of the table behind one queue. One after the
 * other fails. Meanwhile each of the others gets each event once.
 */
@LongRunning
class ITSeveralSinks {
  private static final int EVENTS = 24;
  private static final int FASTER = 20;
  private static final String FIRST = "webhook-first";
  private static final String SECOND = "webhook-second";
  private static final List<String> ALL =
      List.of(EventBridgeEvents.NAME, KafkaEvents.NAME, FIRST, SECOND);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private static KafkaBroker broker;

  /** Other tests have other entities in the topic. */
  private final String name = "several" + NAMES.incrementAndGet();

  private final TestTable table = TestTable.start();
  private final SinkQueues queues = new SinkQueues();
  private final FastClock clock = new FastClock(FASTER);
  private final WebhookCalls calls = new WebhookCalls(true, Clock.systemUTC());

  /** The bodies that the servers of EventBridge and of the webhooks have accepted, by sink. */
  private final Map<String, List<String>> accepted = new ConcurrentHashMap<>();

  /** The calls of EventBridge that were accepted. */
  private final Set<String> busCalls = ConcurrentHashMap.newKeySet();

  /** The calls of each sink that were a success, and the others. */
  private final Map<String, AtomicInteger> successes = new ConcurrentHashMap<>();

  private final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();
  private volatile String failing = "";
  private HttpServer server;
  private EventBridgeClient bus;
  private KafkaEvents kafka;
  private EventOutbox outbox;
  private SinkConsumer consumer;

  @BeforeAll
  static void startBroker(@TempDir Path folder) {
    broker = KafkaBroker.start(folder);
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 10);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    bus = SinkSamples.clientOf(server);
    kafka = new KafkaEvents(KafkaTopic.at(broker.address(), Map.of()));
    var stored = new Webhooks(table.table(), 20);
    for (var sink : List.of(FIRST, SECOND)) {
      stored.create(
          Webhook.of(
              sink.substring("webhook-".length()),
              "http://127.0.0.1:%d/%s".formatted(server.getAddress().getPort(), sink),
              List.of(),
              null,
              true,
              WebhookSecret.random().text(),
              Instant.EPOCH));
    }
    var registered = new RegisteredWebhooks(stored);
    var configured =
        new ConfiguredSinks(List.of(EventBridgeEvents.NAME, KafkaEvents.NAME), Set.of());
    outbox = new EventOutbox(queues.queue, event -> wanting(configured, registered, event), clock);
    consumer =
        new SinkConsumer(
            sink -> publisher(sink, registered).map(publisher -> counted(sink, publisher)),
            event -> wanting(configured, registered, event),
            new EventContent(table.table(), table.clock()),
            clock.delaying(queues.queue),
            queues.unpublished,
            clock);
  }

  @AfterEach
  void stop() throws IOException {
    kafka.close();
    bus.close();
    calls.close();
    server.stop(0);
    queues.close();
    table.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    var path = exchange.getRequestURI().getPath().substring(1);
    if (path.isEmpty()) {
      boolean isRefused = failing.equals(EventBridgeEvents.NAME);
      var answer = "{\"FailedEntryCount\":%d}".formatted(isRefused ? 1 : 0);
      if (!isRefused && isFirstAttempt(exchange)) {
        JSON.readTree(body)
            .path("Entries")
            .forEach(entry -> took(EventBridgeEvents.NAME, entry.path("Detail").asText()));
      }
      var bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    } else {
      boolean isRefused = failing.equals(path);
      if (!isRefused) {
        took(path, body);
      }
      exchange.sendResponseHeaders(isRefused ? 503 : 204, -1);
    }
    exchange.close();
  }

  /** The client repeats a call whose answer takes seconds. */
  private boolean isFirstAttempt(HttpExchange exchange) {
    return busCalls.add(exchange.getRequestHeaders().getFirst("amz-sdk-invocation-id"));
  }

  private void took(String sink, String body) {
    accepted.computeIfAbsent(sink, _ -> new CopyOnWriteArrayList<>()).add(body);
  }

  private static List<String> wanting(
      ConfiguredSinks configured, RegisteredWebhooks registered, DomainEvent event) {
    return Stream.concat(configured.wanting(event).stream(), registered.wanting(event).stream())
        .toList();
  }

  private Optional<Publisher> publisher(String sink, RegisteredWebhooks registered) {
    return switch (sink) {
      case EventBridgeEvents.NAME -> Optional.of(new EventBridgeEvents(bus, "bus"));
      case KafkaEvents.NAME -> Optional.of(kafka);
      default ->
          registered.publisher(
              sink, webhook -> WebhookPublisher.of(calls, webhook, (_, _) -> {}, clock));
    };
  }

  private Publisher counted(String sink, Publisher publisher) {
    return event -> {
      try {
        publisher.publish(event);
        number(successes, sink).incrementAndGet();
      } catch (IllegalStateException e) {
        number(failures, sink).incrementAndGet();
        throw e;
      }
    };
  }

  private static AtomicInteger number(Map<String, AtomicInteger> numbers, String sink) {
    return numbers.computeIfAbsent(sink, _ -> new AtomicInteger());
  }

  private List<DomainEvent> events() {
    return IntStream.range(0, EVENTS).mapToObj(i -> SinkSamples.changed(name, i)).toList();
  }

  private SinkLoop started() {
    return SinkLoop.start(queues.queue, consumer, queues.unpublished);
  }

  /** Returns the texts of the events that each sink has, as often as it has them. */
  private Map<String, List<String>> received() {
    var all = new TreeMap<>(accepted);
    all.put(
        KafkaEvents.NAME,
        broker.records().stream()
            .filter(record -> record.key().equals("account:" + name))
            .map(record -> record.value())
            .toList());
    return all;
  }

  /** Half of the events come as those of records that are applied again. */
  private void publish(List<DomainEvent> events) {
    outbox.put(events.subList(0, EVENTS / 2));
    queues.queue.send(
        events.subList(EVENTS / 2, EVENTS).stream()
            .map(event -> new SinkMessage(SinkMessage.EVERY, 0, clock.instant(), event))
            .toList(),
        Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(strings = {EventBridgeEvents.NAME, KafkaEvents.NAME, FIRST})
  void sinkThatFails_neitherDelaysNorRepeatsTheOthers(String sink) {
    var events = events();
    var texts = events.stream().map(EventJson::write).toList();
    var others = ALL.stream().filter(other -> !other.equals(sink)).toList();
    fail(sink);
    try (var _ = started()) {
      publish(events);
      Polling.until(
          () ->
              others.stream().allMatch(other -> number(successes, other).get() >= EVENTS)
                  && number(failures, sink).get() > 1);
      assertThat(number(successes, sink)).as("it still fails").hasValue(0);
      assertThat(number(failures, sink)).as("it rests").hasValueLessThan(EVENTS);

      repair();
      Polling.until(() -> queues.waiting(queues.sinks) == 0);
    } finally {
      repair();
    }

    var received = received();
    assertThat(others)
        .allSatisfy(
            other -> assertThat(received.get(other)).containsExactlyInAnyOrderElementsOf(texts));
    // What Kafka did not confirm in time it may have.
    assertThat(Set.copyOf(received.getOrDefault(sink, List.of()))).isEqualTo(Set.copyOf(texts));
    if (!sink.equals(KafkaEvents.NAME)) {
      assertThat(received.get(sink)).hasSize(EVENTS);
    }
    assertThat(queues.waiting(queues.deadLetters)).isZero();
  }

  /** What is planted: one message for all sinks, which is handled again where one of them fails. */
  @Test
  void messageThatSinksShare_isFoundToBeRepeated() {
    var event = SinkSamples.changed(name, 1);
    fail(SECOND);
    var shared = shared();
    queues.queue.send(List.of(new SinkMessage("shared", 0, clock.instant(), event)), Duration.ZERO);
    try (var _ = SinkLoop.start(queues.queue, shared, queues.unpublished)) {
      Polling.until(() -> number(failures, SECOND).get() > 1);
      repair();
      Polling.until(() -> queues.waiting(queues.sinks) == 0);
    }

    assertThat(accepted.get(SECOND)).hasSize(1);
    assertThat(accepted.get(FIRST)).hasSizeGreaterThan(1);
  }

  private SinkConsumer shared() {
    var registered = new RegisteredWebhooks(new Webhooks(table.table(), 20));
    Publisher inTurn =
        event ->
            List.of(FIRST, SECOND)
                .forEach(
                    sink ->
                        counted(sink, publisher(sink, registered).orElseThrow()).publish(event));
    return new SinkConsumer(
        _ -> Optional.of(inTurn),
        _ -> List.of(),
        new EventContent(table.table(), table.clock()),
        clock.delaying(queues.queue),
        queues.unpublished,
        clock);
  }

  private void fail(String sink) {
    failing = sink;
    if (sink.equals(KafkaEvents.NAME)) {
      kafka.close();
      kafka = broker.impatientClient();
      broker.hang();
    }
  }

  private void repair() {
    if (failing.equals(KafkaEvents.NAME)) {
      broker.goOn();
    }
    failing = "";
  }
}
