package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.engine.LocalQueue;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.event.webhook.WebhookSecret;
import social.feed.streams.ITLambdaEntry.InvokedBy;
import social.feed.streams.ITLambdaEntry.TimeLeft;
import social.feed.streams.lambda.MultiplexerFunction;
import social.feed.streams.lambda.SinkFunction;
import social.feed.streams.sink.EventBridgeEvents;
import social.feed.streams.sink.KafkaBroker;
import social.feed.streams.sink.KafkaEvents;
import social.feed.streams.sink.KafkaTopic;
import social.feed.streams.sink.SinkMessage;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.Webhook;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * The functions of the effects lane and of the sinks as Lambda creates and invokes them: a change
 * of the table's stream becomes messages, and these become an entry of EventBridge and a record in
 * a real broker of Kafka, whose properties come from a secret.
 */
class ITSinkFunction {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ALIAS =
      "arn:aws:lambda:us-east-1:000000000000:function:feed-multiplexer:effects";

  private static final List<JsonNode> ENTRIES = new CopyOnWriteArrayList<>();
  private static final Map<String, String> PROPERTIES = new HashMap<>();
  private static final AtomicInteger QUEUES = new AtomicInteger();

  private static TestTable table;
  private static LocalQueue queues;
  private static SqsClient client;
  private static String sinks = "";
  private static KafkaBroker broker;
  private static HttpServer services;
  private static volatile boolean isAway;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    table = TestTable.start();
    queues = LocalQueue.start();
    client = queues.newClient();
    var deadLetters = queues.createQueue("dead").toString();
    broker = KafkaBroker.start(folder);
    try (var kafka = new KafkaEvents(KafkaTopic.at(broker.address(), Map.of()))) {
      KafkaBroker.warmUp(kafka);
    }
    services = services();
    var address = "http://127.0.0.1:" + services.getAddress().getPort();
    PROPERTIES.put("aws.endpointUrlDynamoDb", table.endpoint().toString());
    PROPERTIES.put("aws.endpointUrlSqs", queues.endpoint().toString());
    PROPERTIES.put("aws.endpointUrlEventBridge", address);
    PROPERTIES.put("aws.endpointUrlSecretsManager", address);
    PROPERTIES.put("aws.region", "us-east-1");
    PROPERTIES.put("aws.accessKeyId", "test");
    PROPERTIES.put("aws.secretAccessKey", "test");
    PROPERTIES.put("feed.multiplexer.table", table.table().name());
    PROPERTIES.put("feed.multiplexer.dead-letter-queue-url", deadLetters);
    PROPERTIES.put("feed.multiplexer.event-queue-url", deadLetters);
    PROPERTIES.put("feed.sinks.queue-url", "of each test");
    PROPERTIES.put("feed.sinks.event-bus", "feed-bus");
    PROPERTIES.put("feed.sinks.kafka-brokers", broker.address());
    PROPERTIES.put("feed.sinks.kafka-secret-arn", "arn:aws:secretsmanager:kafka");
    PROPERTIES.put("feed.sinks.webhooks", "true");
    PROPERTIES.forEach(System::setProperty);
  }

  @AfterAll
  static void stop() {
    PROPERTIES.keySet().forEach(System::clearProperty);
    broker.close();
    services.stop(0);
    client.close();
    queues.close();
    table.close();
  }

  @BeforeEach
  void empty() {
    isAway = false;
    ENTRIES.clear();
    sinks = queues.createQueue("sinks-" + QUEUES.incrementAndGet()).toString();
    System.setProperty("feed.sinks.queue-url", sinks);
  }

  /** EventBridge and Secrets Manager, by the header of a request. */
  private static HttpServer services() throws IOException {
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 10);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", ITSinkFunction::answer);
    server.start();
    return server;
  }

  private static void answer(HttpExchange exchange) throws IOException {
    var request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    var target = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
    var answer = "{\"SecretString\":\"security.protocol=PLAINTEXT\"}";
    if (target.equals("AWSEvents.PutEvents")) {
      answer = isAway ? "{\"FailedEntryCount\":1}" : "{\"FailedEntryCount\":0}";
      if (!isAway) {
        JSON.readTree(request).path("Entries").forEach(ENTRIES::add);
      }
    }
    var bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Test
  void change_isPublishedInBothSinks() throws IOException {
    var ann = new SeedWorld(table.table(), table.clock()).user("ann");
    var user = new SeedWorld(table.table(), table.clock()).users.get(ann.id()).orElseThrow();
    try (var lane = new MultiplexerFunction()) {
      var response =
          lane.handleRequest(
              EntryContract.event(StreamRecords.inserted(1, user)), invokedBy(ALIAS));
      assertThat(response.getBatchItemFailures()).isEmpty();
    }

    assertThat(published(received())).isEmpty();

    assertThat(ENTRIES)
        .singleElement()
        .satisfies(
            entry -> assertThat(entry.path("DetailType").asText()).isEqualTo("account.registered"));
    assertThat(broker.records())
        .anySatisfy(record -> assertThat(record.key()).isEqualTo("account:" + ann.id()));
  }

  /** As a redrive sends it. The webhook leads into the network, so it is not called and waits. */
  @Test
  void messageToEverySink_reachesBrokersAndWebhooks() throws IOException {
    var webhooks = new Webhooks(table.table(), 20);
    webhooks.create(inside());
    var message = new SinkMessage(SinkMessage.EVERY, 0, Instant.now(), event("dot"));

    assertThat(published(List.of(message("1", message.body())))).isEmpty();
    assertThat(published(received())).isEmpty();

    assertThat(ENTRIES).hasSize(1);
    assertThat(broker.records())
        .anySatisfy(record -> assertThat(record.key()).isEqualTo("account:dot"));
    assertThat(delayed()).isEqualTo(1);
    assertThat(new WebhookHistory(table.table(), Clock.systemUTC()).of("inside").orElseThrow())
        .singleElement()
        .satisfies(call -> assertThat(call.error()).contains("not a public address"));
    webhooks.delete("inside");
  }

  private static Webhook inside() {
    return Webhook.of(
        "inside",
        "https://127.0.0.1:1/",
        List.of(),
        null,
        true,
        WebhookSecret.random().text(),
        Instant.EPOCH);
  }

  /** The settings named the type when the messages were put on the queue. */
  @Test
  void typeThatIsNoLongerGiven_reachesNoBroker() throws IOException {
    var ann = new SeedWorld(table.table(), table.clock()).user("ann").id();
    var finding = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200);
    var evidence = new Suspect.Evidence(ann, 1, Instant.EPOCH, List.of(finding));
    table.table().putAll(List.of(Suspect.of(evidence)));
    var data = Map.of("user_id", ann, "score", 50L, "reasons", List.of("follow_burst"));
    var suspicious =
        new DomainEvent(
            EventType.ACCOUNT_SUSPICIOUS,
            Instant.EPOCH,
            "suspicion:" + ann,
            "1",
            ann,
            new TreeMap<>(data));
    var messages =
        Stream.of(EventBridgeEvents.NAME, KafkaEvents.NAME)
            .map(sink -> message(sink, new SinkMessage(sink, 0, Instant.now(), suspicious).body()))
            .toList();

    assertThat(published(messages)).isEmpty();

    assertThat(delayed()).isZero();
    assertThat(ENTRIES).isEmpty();
    assertThat(broker.records()).noneMatch(record -> record.key().equals("suspicion:" + ann));
  }

  /** A message goes back to the queue with a delay, and is done with. */
  @Test
  void sinkThatFails_isNotAFailureOfTheBatch() throws IOException {
    isAway = true;
    var message = new SinkMessage("eventbridge", 0, Instant.now(), event("bob"));

    assertThat(published(List.of(message("1", message.body())))).isEmpty();

    assertThat(ENTRIES).isEmpty();
    assertThat(delayed()).isEqualTo(1);
  }

  /** The queue is not called at the end of an invocation, so the message itself comes again. */
  @Test
  void sinkThatFails_atTheEndOfAnInvocation_isAFailureOfTheBatch() throws IOException {
    isAway = true;
    var message = new SinkMessage("eventbridge", 0, Instant.now(), event("eve"));

    assertThat(published(List.of(message("1", message.body())), new TimeLeft(1)))
        .extracting(BatchItemFailure::getItemIdentifier)
        .containsExactly("1");

    assertThat(delayed()).isZero();
  }

  /** The calls of webhooks are written last: they may be missing, and messages may not. */
  @Test
  void tableThatIsSlowAtTheEnd_keepsNoMessageFromTheQueue() throws IOException {
    var webhooks = new Webhooks(table.table(), 20);
    webhooks.create(inside());
    try {
      var body = new SinkMessage("webhook-inside", 0, Instant.now(), event("gus")).body();
      var time = new TimeLeft(Integer.MAX_VALUE);
      assertThat(published(List.of(message("1", body)), time)).isEmpty();
      assertThat(delayed()).isEqualTo(1);

      // The last two calls read and write the row of the webhook's calls.
      assertThat(published(List.of(message("2", body)), new TimeLeft(time.asks() - 2))).isEmpty();

      assertThat(delayed()).isEqualTo(2);
    } finally {
      webhooks.delete("inside");
    }
  }

  @Test
  void messageThatIsNone_comesAgain_andTheOthersAreDone() throws IOException {
    var good = new SinkMessage("eventbridge", 0, Instant.now(), event("cid"));

    assertThat(published(List.of(message("1", "{}"), message("2", good.body()))))
        .extracting(BatchItemFailure::getItemIdentifier)
        .containsExactly("1");

    assertThat(ENTRIES).hasSize(1);
  }

  /** As when the memory of the process is used up. */
  @Test
  void messageWhoseHandlingEndsInAnError_comesAgain() throws IOException {
    // To read its account asks for the time that is left.
    var registered =
        new DomainEvent(
            EventType.ACCOUNT_REGISTERED,
            Instant.EPOCH,
            "account:fay",
            "1",
            "fay",
            new TreeMap<>(Map.of("user_id", "fay")));
    var message = new SinkMessage("eventbridge", 0, Instant.now(), registered);
    var used =
        new TimeLeft(Integer.MAX_VALUE) {
          @Override
          int millis() {
            if (Thread.currentThread().isVirtual()) {
              throw new OutOfMemoryError("planted");
            }
            return super.millis();
          }
        };

    assertThat(published(List.of(message("1", message.body())), used))
        .extracting(BatchItemFailure::getItemIdentifier)
        .containsExactly("1");
    assertThat(ENTRIES).isEmpty();
  }

  private static List<BatchItemFailure> published(List<Message> messages) throws IOException {
    return published(messages, new TimeLeft(Integer.MAX_VALUE));
  }

  /** Invokes the function with Lambda's JSON, and returns what comes again. */
  private static List<BatchItemFailure> published(List<Message> messages, TimeLeft time)
      throws IOException {
    var records = JSON.createArrayNode();
    for (var message : messages) {
      records
          .addObject()
          .put("messageId", message.messageId())
          .put("body", message.body())
          .put("eventSource", "aws:sqs");
    }
    var event = JSON.createObjectNode().set("Records", records);
    var loader = ITSinkFunction.class.getClassLoader();
    try (var function = new SinkFunction()) {
      var response =
          function.handleRequest(
              LambdaEventSerializers.serializerFor(SQSEvent.class, loader)
                  .fromJson(event.toString()),
              new InvokedBy("arn", time));
      var json = new ByteArrayOutputStream();
      LambdaEventSerializers.serializerFor(SQSBatchResponse.class, loader).toJson(response, json);
      var failures = new ArrayList<BatchItemFailure>();
      JSON.readTree(json.toByteArray())
          .path("batchItemFailures")
          .forEach(
              failure ->
                  failures.add(new BatchItemFailure(failure.path("itemIdentifier").asText())));
      return failures;
    }
  }

  private static Context invokedBy(String arn) {
    return new InvokedBy(arn, new TimeLeft(Integer.MAX_VALUE));
  }

  private static Message message(String id, String body) {
    return Message.builder().messageId(id).body(body).build();
  }

  private static List<Message> received() {
    return client.receiveMessage(r -> r.queueUrl(sinks).maxNumberOfMessages(10)).messages();
  }

  /** The number of messages that wait with a delay. */
  private static int delayed() {
    var name = QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED;
    var attributes =
        client.getQueueAttributes(g -> g.queueUrl(sinks).attributeNames(name)).attributes();
    return Integer.parseInt(attributes.getOrDefault(name, "0"));
  }

  private static DomainEvent event(String user) {
    return new DomainEvent(
        EventType.ACCOUNT_ERASED,
        Instant.parse("2026-03-01T12:00:00Z"),
        "account:" + user,
        "1",
        user,
        new TreeMap<>(Map.of("user_id", user)));
  }
}
