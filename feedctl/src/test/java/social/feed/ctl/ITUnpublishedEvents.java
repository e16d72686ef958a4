package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.engine.eventsource.StreamTail;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.event.Release;
import social.feed.event.webhook.WebhookSecret;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SqsSinkDeadLetters;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.row.Webhook;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** A webhook of a platform, and its dead letters. */
@LongRunning
class ITUnpublishedEvents extends DeadLetterScenario {
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final HttpServer receiver = receiver();

  @Override
  PlatformSettings settings() {
    return PlatformSettings.inMemory().withWebhooks(List.of(webhook()));
  }

  @AfterEach
  void stopReceiver() {
    receiver.stop(0);
  }

  @Test
  void webhook_isCalledWithEachEvent() {
    follow("bob", "ann");
    drain();
    Polling.until(() -> received.stream().anyMatch(body -> body.contains("follow.created")));
    Polling.until(
        () -> received.stream().filter(body -> body.contains("account.registered")).count() == 3);
  }

  /** The queue of the sinks reaches the other processes; without it they would publish nothing. */
  @Test
  void webhook_isCalledWithEventsOfAMultiplexerInAnotherProcess() throws Exception {
    var elsewhere =
        new PlatformSettings(
            Optional.empty(),
            0,
            0,
            0,
            PlatformSettings.CELEBRITY_THRESHOLD,
            new PlatformSettings.Processes(0, 1),
            false,
            List.of(webhook()));
    try (var other = LocalPlatform.start(elsewhere);
        var http = HttpClient.newHttpClient()) {
      var token = post(http, other, "dev/tokens", "{\"user_id\":\"zoe\"}", "");
      var bearer = "Bearer " + new ObjectMapper().readTree(token).path("access_token").asText();
      var _ = post(http, other, "users", "{\"handle\":\"zoe\",\"display_name\":\"Zoe\"}", bearer);
      Polling.until(
          () ->
              received.stream()
                  .anyMatch(
                      body -> body.contains("account.registered") && body.contains("account:zoe")));
    }
  }

  private static String post(
      HttpClient http, LocalPlatform platform, String route, String body, String bearer)
      throws Exception {
    var response =
        http.send(
            HttpRequest.newBuilder(platform.api().resolve("/v1/" + route))
                .header("Content-Type", "application/json")
                .header("Authorization", bearer)
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
    return response.body();
  }

  @Test
  void deadLetterOfASink_isListedAndRedriven() {
    var name = sinkName();
    var event =
        new DomainEvent(
            EventType.ACCOUNT_ERASED,
            Instant.EPOCH,
            "account:zoe",
            "1",
            "zoe",
            new TreeMap<>(Map.of("user_id", "zoe")));
    new SqsSinkDeadLetters(queues, url())
        .send(new SinkMessage(name, 7, Instant.EPOCH, event), "The webhook answered 500");

    assertThat(dlq("list").text())
        .contains("sink " + name, "account.erased account:zoe", "The webhook answered 500");
    assertThat(dlq("show", id()).text()).contains(event.id());
    assertThat(dlq("redrive", "--all").text()).contains("Applied: Publish.", "1 applied, 0 kept.");

    Polling.until(() -> received.stream().anyMatch(body -> body.contains(event.id())));
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  /** As the queue moves it after a downgrade: without a reason, and of an unknown type. */
  @Test
  void deadLetterOfALaterVersion_saysWhichVersionReadsIt_andIsKept() {
    var event =
        new DomainEvent(
            EventType.ACCOUNT_ERASED,
            Instant.EPOCH,
            "account:zoe",
            "1",
            "zoe",
            new TreeMap<>(Map.of("user_id", "zoe")));
    var body =
        new SinkMessage(sinkName(), 7, Instant.EPOCH, event)
            .body()
            .replace("account.erased", "account.renamed")
            .replace(Release.VERSION, "9.1.0");
    queues.sendMessage(m -> m.queueUrl(url()).messageBody(body));
    var needs = "The event type account.renamed needs version 9.1.0";

    assertThat(dlq("list").text()).contains(needs);
    assertThat(dlq("show", id()).text())
        .contains(needs, Release.VERSION, "Deploy that version or a later one", body);
    var redriven = dlq("redrive", "--all");
    assertThat(redriven.code()).isEqualTo(1);
    assertThat(redriven.text()).contains(needs, "0 applied, 1 kept.");
    assertThat(dlq("drop", id()).code()).isZero();
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  @Test
  void redrive_withoutAQueueOfSinks_keepsTheDeadLetter() {
    var event =
        new DomainEvent(
            EventType.ACCOUNT_ERASED,
            Instant.EPOCH,
            "account:zoe",
            "1",
            "zoe",
            new TreeMap<>(Map.of("user_id", "zoe")));
    new SqsSinkDeadLetters(queues, url())
        .send(new SinkMessage("any", 7, Instant.EPOCH, event), "It failed");
    var elsewhere = platform.deadLetters().resolve("nowhere").toString();
    var result = dlq("redrive", "--all", "--sink-queue-url", elsewhere);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.text()).contains("0 applied, 1 kept.");
  }

  /** The effect that puts events on the queue can fail for good like any other. */
  @Test
  void recordWhoseEventsAreMissing_isRedriven_forAllSinksOfThePlatform() {
    drain();
    Polling.until(() -> hasRegistration("/hook"));
    received.clear();
    var record =
        records().stream()
            .filter(
                one -> String.valueOf(one.getDynamodb().getKeys().get("PK")).contains("USER#cleo"))
            .findFirst()
            .orElseThrow();
    var registered =
        Webhook.of(
            "w1",
            webhook().resolve("/table").toString(),
            List.of(),
            null,
            true,
            WebhookSecret.random().text(),
            NOW);
    new Webhooks(table, 20).create(registered);
    new SqsDeadLetters(queues, url()).send(DeadLetter.of("Publish", "The queue is away", record));

    assertThat(dlq("redrive", "--all").text()).contains("Applied: Publish.", "1 applied, 0 kept.");

    Polling.until(() -> hasRegistration("/table"));
    // Which the command cannot know: the platform was started with it.
    Polling.until(() -> hasRegistration("/hook"));
  }

  private boolean hasRegistration(String path) {
    return received.stream()
        .anyMatch(
            call ->
                call.startsWith(path + " ")
                    && call.contains("account.registered")
                    && call.contains("account:cleo"));
  }

  private List<DynamodbStreamRecord> records() {
    var described = client.describeTable(d -> d.tableName(PlatformSettings.TABLE)).table();
    try (var streams = local(DynamoDbStreamsClient.builder(), platform.dynamodb())) {
      return new StreamTail(streams, described.latestStreamArn())
          .read().stream().map(Tailed::record).toList();
    }
  }

  /** The name that the platform gives to its webhook, from a message that waits. */
  private String sinkName() {
    return "webhook:" + Sha256.hex(webhook().toString()).substring(0, 8);
  }

  private URI webhook() {
    return URI.create("http://127.0.0.1:%d/hook".formatted(receiver.getAddress().getPort()));
  }

  private HttpServer receiver() {
    try {
      var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 10);
      server.createContext(
          "/",
          exchange -> {
            received.add(
                exchange.getRequestURI().getPath()
                    + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
