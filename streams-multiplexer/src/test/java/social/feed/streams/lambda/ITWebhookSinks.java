package social.feed.streams.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.event.webhook.WebhookCalls;
import social.feed.event.webhook.WebhookSecret;
import social.feed.streams.event.EventContent;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SinkSamples;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.row.WebhookRegistry;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The webhooks of the table as the function of the sinks calls them. */
class ITWebhookSinks {
  private static final DomainEvent EVENT = SinkSamples.accountErased();

  private final TestTable table = TestTable.start();
  private final Webhooks stored = new Webhooks(table.table(), 20);
  private final List<String> signatures = new CopyOnWriteArrayList<>();
  private final List<SinkMessage> again = new CopyOnWriteArrayList<>();
  private HttpServer receiver;

  @BeforeEach
  void listen() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 10);
    receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    receiver.createContext(
        "/",
        exchange -> {
          signatures.add(exchange.getRequestHeaders().getFirst("webhook-signature"));
          boolean isGood = exchange.getRequestURI().getPath().equals("/good");
          exchange.getResponseHeaders().set("Location", address("/good"));
          exchange.sendResponseHeaders(isGood ? 204 : 307, -1);
          exchange.close();
        });
    receiver.start();
  }

  @AfterEach
  void stop() {
    receiver.stop(0);
    table.close();
  }

  private String address(String path) {
    return "http://127.0.0.1:" + receiver.getAddress().getPort() + path;
  }

  private void webhook(String id, String url) {
    stored.create(
        Webhook.of(id, url, List.of(), null, true, WebhookSecret.random().text(), Instant.EPOCH));
  }

  private List<WebhookDelivery> deliveries(String id) {
    return new WebhookHistory(table.table(), Clock.systemUTC()).of(id).orElseThrow();
  }

  /** Puts an event to all sinks through the consumer, as an invocation does. */
  private void invoke(boolean allowsPrivate) {
    invoke(allowsPrivate, new SinkMessage(SinkMessage.EVERY, 0, Instant.now(), EVENT));
  }

  /** An invocation of an instance that just started. */
  private void invoke(boolean allowsPrivate, SinkMessage received) {
    var settings = new SinkSettings("queue", null, null, "feed.events", null, null, true);
    var sinks = FunctionSinks.of(settings, new SearchSettings(null, null), table.table());
    try (var webhooks =
        new WebhookSinks(
            sinks.webhooks().orElseThrow(),
            table.table(),
            new WebhookCalls(allowsPrivate, Clock.systemUTC()))) {
      var consumer =
          new SinkConsumer(
              webhooks::of,
              sinks::wanting,
              new EventContent(table.table(), table.clock()),
              (messages, _) -> again.addAll(messages),
              (message, reason) -> {
                throw new AssertionError(message + " " + reason);
              },
              Clock.systemUTC());
      consumer.handle(received);
      var all = List.copyOf(again);
      again.clear();
      all.forEach(consumer::handle);
      webhooks.flush();
    }
  }

  @Test
  void webhook_isCalled_andItsCallsAreListed() {
    webhook("good", address("/good"));
    webhook("moved", address("/elsewhere"));

    invoke(true);

    assertThat(signatures).hasSize(2).allMatch(signature -> signature.startsWith("v1,"));
    assertThat(again).extracting(SinkMessage::sink).containsExactly("webhook-moved");
    assertThat(deliveries("good"))
        .singleElement()
        .satisfies(
            call -> {
              assertThat(call.delivered()).isTrue();
              assertThat(call.eventId()).isEqualTo(EVENT.id());
            });
    assertThat(deliveries("moved"))
        .as("a redirect is not followed")
        .singleElement()
        .satisfies(call -> assertThat(call.status()).isEqualTo(307));
  }

  /** The address was allowed when it was stored, and leads into the network now. */
  @Test
  void webhookAtAnAddressInsideTheNetwork_isNotCalled() {
    webhook("inside", address("/good"));

    invoke(false);

    assertThat(signatures).isEmpty();
    assertThat(again).extracting(SinkMessage::sink).containsExactly("webhook-inside");
    assertThat(deliveries("inside"))
        .singleElement()
        .satisfies(call -> assertThat(call.error()).contains("not a public address"));
  }

  @Test
  void stageWithoutWebhooks_readsNoRegistry() {
    var settings = new SinkSettings("queue", "bus", null, "feed.events", null, null, false);
    table.requests().take();

    var sinks = FunctionSinks.of(settings, new SearchSettings(null, null), table.table());

    assertThat(sinks.areWanted()).isTrue();
    assertThat(sinks.wanting(EVENT)).containsExactly("eventbridge");
    assertThat(sinks.webhooks()).isEqualTo(Optional.empty());
    assertThat(table.requests().take()).isEmpty();
  }

  @Test
  void registryThatCannotBeDecoded_keepsNoEventFromTheBus() {
    var settings = new SinkSettings("queue", "bus", null, "feed.events", null, null, true);
    webhook("good", address("/good"));
    setVersion(AttributeValue.fromS("unreadable"));

    assertThat(sinks(settings).wanting(EVENT)).containsExactly("eventbridge", "webhook-*");
  }

  /** An instance that started meanwhile knows no webhook, and a redriven message names none. */
  @Test
  void registryThatCannotBeDecoded_keepsItsEvents_untilItIsCorrected() {
    webhook("good", address("/good"));
    var right = table.table().get(WebhookRegistry.KEY).orElseThrow().get(WebhookRegistry.VERSION);
    setVersion(AttributeValue.fromS("unreadable"));
    invoke(true);
    assertThat(signatures).isEmpty();
    assertThat(again).extracting(SinkMessage::sink).containsExactly("webhook-*");
    var waiting = again.removeFirst();

    invoke(true, waiting);
    var waitedLonger = again.removeFirst();
    assertThat(waitedLonger.since()).as("it has a day").isEqualTo(waiting.since());
    setVersion(Objects.requireNonNull(right));
    invoke(true, waitedLonger);

    assertThat(signatures).hasSize(1);
    assertThat(again).isEmpty();
    assertThat(deliveries("good"))
        .singleElement()
        .satisfies(call -> assertThat(call.eventId()).isEqualTo(EVENT.id()));
  }

  private void setVersion(AttributeValue version) {
    var change = new Update().set(WebhookRegistry.VERSION, version);
    assertThat(table.table().update(WebhookRegistry.KEY, change, Condition.present()).isDone())
        .isTrue();
  }

  @Test
  void busAndBrokers_getNoPrivateEventsUnlessTheyAreNamed() {
    var types = List.of("account.suspicious");
    var named = new SinkSettings("queue", "bus", null, "feed.events", null, types, false);
    var none = new SinkSettings("queue", "bus", null, "feed.events", null, null, false);
    var suspicious =
        new DomainEvent(
            EventType.ACCOUNT_SUSPICIOUS,
            Instant.EPOCH,
            "suspicion:ann",
            "1",
            "ann",
            new TreeMap<>(Map.of("user_id", "ann", "score", 50L, "reasons", List.of())));

    assertThat(sinks(named).wanting(suspicious)).containsExactly("eventbridge");
    assertThat(sinks(none).wanting(suspicious)).isEmpty();
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () ->
                new SinkSettings(
                    "queue", "bus", null, "feed.events", null, List.of("post.created"), false))
        .withMessageContaining("account.suspicious");
  }

  private FunctionSinks sinks(SinkSettings settings) {
    return FunctionSinks.of(settings, new SearchSettings(null, null), table.table());
  }

  @Test
  void lane_hasEventsWhileAWebhookIsEnabled() {
    var settings = new SinkSettings("queue", null, null, "feed.events", null, null, true);
    assertThat(
            FunctionSinks.of(settings, new SearchSettings(null, null), table.table()).areWanted())
        .isFalse();

    webhook("good", address("/good"));

    var sinks = FunctionSinks.of(settings, new SearchSettings(null, null), table.table());
    assertThat(sinks.exist()).isTrue();
    assertThat(sinks.areWanted()).isTrue();
    assertThat(sinks.wanting(EVENT)).containsExactly("webhook-good");
  }
}
