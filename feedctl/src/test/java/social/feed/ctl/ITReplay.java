package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.engine.EngineClients;
import social.feed.engine.eventsource.StreamTail;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.event.webhook.WebhookSecret;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.streams.deadletter.StreamEvents;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Notification;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Row;
import social.feed.table.row.Webhook;
import social.feed.table.suspicion.Suspects;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Tests batches that Lambda discarded and that are replayed from files. */
@LongRunning
class ITReplay {
  @TempDir private Path folder;

  private LocalPlatform platform;
  private DynamoDbClient client;
  private Table table;
  private SeedWorld world;

  @BeforeEach
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
    client =
        EngineClients.local(DynamoDbClient.builder(), platform.dynamodb())
            .httpClientBuilder(Apache5HttpClient.builder())
            .build();
    table = new Table(client, PlatformSettings.TABLE, Retry.standard());
    world = new SeedWorld(table, Clock.systemUTC());
  }

  @AfterEach
  void stop() {
    client.close();
    platform.close();
  }

  @Test
  void batch_hasItsEffectsOnce_despiteRepeats() throws IOException {
    var ann = world.user("ann");
    var bob = world.user("bob");
    bob.follows(ann);
    var post = ann.posts("hello");
    drain();
    bob.likes(post);
    drain();
    var unread = world.notifications.unread(ann.id(), PageRequest.first(9)).items();
    assertThat(unread).hasSize(2);
    var feed = world.feeds.stored(bob.id(), PageRequest.first(9)).items();
    assertThat(feed).hasSize(1);
    deleteFeedAndNotifications(ann.id(), bob.id());
    var batch = write("batch", records());

    for (int time = 1; time <= 2; time++) {
      var result = replay(folder);

      assertThat(result.code()).as(result.text()).isZero();
      assertThat(result.text()).contains(batch + "  RetryAttemptsExhausted, ", " 0 not.");
      drain();
      assertThat(world.notifications.unread(ann.id(), PageRequest.first(9)).items())
          .hasSize(unread.size());
      assertThat(world.feeds.stored(bob.id(), PageRequest.first(9)).items()).isEqualTo(feed);
      assertThat(ann.account().postsCount()).isEqualTo(1);
      assertThat(ann.account().followersCount()).isEqualTo(1);
    }
    assertThat(verify().code()).isZero();
  }

  /** A recount may have happened in between, so a replay cannot know whether a post is counted. */
  @Test
  void postsCount_isLeftToVerify() throws IOException {
    var ann = world.user("ann");
    ann.posts("hello");
    drain();
    var records = records();
    // Simulates that the batch was discarded before it was counted and its events were recorded.
    deleteProcessedEvents();
    write("batch", records);

    var result = replay(folder);

    assertThat(result.text())
        .contains("Post counts are not repaired here; run ./feed verify --fix");
    drain();
    assertThat(ann.account().postsCount()).isEqualTo(1);
    assertThat(verify().code()).isZero();
  }

  @Test
  void unreadableRecord_isReported_andTheOthersAreApplied() throws IOException {
    var ann = world.user("ann");
    world.user("bob").follows(ann);
    drain();
    var records = records();
    deleteFeedAndNotifications(ann.id());
    records.getFirst().getDynamodb().getNewImage().remove("created_at");
    write("batch", records);

    var result = replay(folder);

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.text()).contains("failed again: ", "created_at", ", 1 not.");
    assertThat(world.notifications.unreadCount(ann.id())).isEqualTo(1);
  }

  @Test
  void events_ofABatch_reachTheWebhooksOfTheTable() throws IOException {
    world.user("ann");
    drain();
    write("batch", records());
    var received = new CopyOnWriteArrayList<String>();
    var receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 10);
    receiver.createContext(
        "/",
        exchange -> {
          received.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    receiver.start();
    try {
      var address = "http://127.0.0.1:" + receiver.getAddress().getPort();
      new Webhooks(table, 20)
          .create(
              Webhook.of(
                  "w1",
                  address,
                  List.of(),
                  null,
                  true,
                  WebhookSecret.random().text(),
                  Timestamps.now(Clock.systemUTC())));
      var unknown = replay(folder);
      assertThat(unknown.code()).isEqualTo(1);
      assertThat(unknown.text()).contains("name it with --sink-queue-url");

      var sinks =
          platform
              .deadLetters()
              .toString()
              .replace(PlatformSettings.DEAD_LETTERS, PlatformSettings.SINKS);
      var result = replay(folder, "--sink-queue-url", sinks);

      assertThat(result.code()).as(result.text()).isZero();
      Polling.until(() -> received.stream().anyMatch(body -> body.contains("account.registered")));
    } finally {
      receiver.stop(0);
    }
  }

  @Test
  void follows_areDecidedAboutAgain_withTheGivenThresholds() throws IOException {
    var bob = world.user("bob");
    var limit = new FollowRateLimit(10, 10, Duration.ZERO);
    var writer = new FollowWriter(table, 10, 10, limit);
    for (var followed : List.of(world.user("ann"), world.user("cleo"))) {
      writer.follow(Follow.of(bob.id(), followed.id(), Timestamps.now(Clock.systemUTC())));
    }
    drain();
    write("batch", records());
    var suspects = new Suspects(table);

    assertThat(replay(folder).code()).isZero();
    assertThat(suspects.get(bob.id())).isEmpty();
    var given = replay(folder, "--suspicious", "follows=2,score=20");

    assertThat(given.code()).as(given.text()).isZero();
    assertThat(suspects.get(bob.id())).isPresent();
  }

  /** Their effects would be none here, or wrong. */
  @Test
  void recordsOfAnotherTable_andQueuesElsewhere_areRefused() throws IOException {
    world.user("bob").follows(world.user("ann"));
    drain();
    var records = records();
    var stream = records.getFirst().getEventSourceARN();
    records.forEach(
        record -> record.setEventSourceARN(stream.replace(":table/feed/", ":table/feed-prod/")));
    write("batch", records);

    var foreign = replay(folder);
    var elsewhere =
        replay(folder, "--event-queue-url", "https://sqs.eu-west-1.amazonaws.com/1/events");

    assertThat(foreign.code()).isEqualTo(1);
    assertThat(foreign.text())
        .contains("It is a record of the table feed-prod, not of feed")
        .contains("0 records applied, %,d not.".formatted(records.size()));
    assertThat(elsewhere.code()).isEqualTo(2);
    assertThat(elsewhere.text()).contains("--region eu-west-1 and --table");
  }

  @Test
  void fileThatIsNoBatch_isReported() throws IOException {
    Files.writeString(folder.resolve("a"), "hello");
    Files.writeString(folder.resolve("b"), "{}");
    Files.writeString(folder.resolve("c"), "{\"payload\": \"{}\"}");
    Files.write(folder.resolve(".picture"), new byte[] {(byte) 0x89, 'P', 'N', 'G'});

    assertThat(replay(folder).code()).isEqualTo(1);
    assertThat(replay(folder).text())
        .contains(".picture is no discarded batch: it is no JSON.")
        .contains("a is no discarded batch: it is no JSON.")
        .contains("b is no discarded batch: it has no payload.")
        .contains("c is no discarded batch: There are no records of a stream in it.");
    assertThat(replay(folder.resolve("nothing")).code()).isEqualTo(2);
  }

  @Test
  void folderBehindALink_isReadLikeAnyOther() throws IOException {
    world.user("ann");
    drain();
    var batches = Files.createDirectory(folder.resolve("batches"));
    Files.move(write("batch", records()), batches.resolve("batch"));
    var link = Files.createSymbolicLink(folder.resolve("link"), batches);

    var result = replay(link);

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(result.text()).contains(link.resolve("batch") + "  RetryAttemptsExhausted, ");
  }

  /** As after a copy of the bucket that failed. */
  @Test
  void folderWithoutFiles_isReported() throws IOException {
    var empty = Files.createDirectory(folder.resolve("empty"));

    var result = replay(empty);

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.text()).contains("No file is in " + empty + ".");
  }

  /** Returns all records of the stream, as both lanes received them. */
  private List<DynamodbStreamRecord> records() {
    var described = client.describeTable(d -> d.tableName(PlatformSettings.TABLE)).table();
    try (var streams =
        EngineClients.local(DynamoDbStreamsClient.builder(), platform.dynamodb())
            .httpClientBuilder(Apache5HttpClient.builder())
            .build()) {
      return new StreamTail(streams, described.latestStreamArn())
          .read().stream().map(Tailed::record).toList();
    }
  }

  /** Writes a batch as Lambda does. */
  private Path write(String name, List<DynamodbStreamRecord> records) throws IOException {
    var json = new ObjectMapper();
    var object = json.createObjectNode();
    object.putObject("requestContext").put("condition", "RetryAttemptsExhausted");
    object.putObject("DDBStreamBatchInfo").put("batchSize", records.size());
    object.put("payload", StreamEvents.write(records));
    return Files.writeString(folder.resolve(name), json.writeValueAsString(object));
  }

  /** Deletes the notifications and feed entries of some accounts. */
  private void deleteFeedAndNotifications(String... users) {
    for (var user : users) {
      deleteAll(
          row ->
              row instanceof Notification notification && notification.userId().equals(user)
                  || row instanceof FeedEntry entry && entry.readerId().equals(user));
    }
    drain();
  }

  private void deleteProcessedEvents() {
    deleteAll(row -> row instanceof ProcessedEvent);
  }

  private void deleteAll(Predicate<Row> which) {
    table.deleteAll(
        client.scanPaginator(s -> s.tableName(PlatformSettings.TABLE)).items().stream()
            .<Row>map(RowCodec::decode)
            .filter(which)
            .map(Row::key)
            .toList());
  }

  private void drain() {
    platform.drain(Duration.ofSeconds(60));
  }

  private CommandRun replay(Path path, String... more) {
    var arguments =
        Stream.of("dlq", "replay", path.toString(), "--endpoint", platform.dynamodb().toString());
    return CommandRun.of(Stream.concat(arguments, Stream.of(more)).toArray(String[]::new));
  }

  private CommandRun verify() {
    return CommandRun.of(
        "verify", "--endpoint", platform.dynamodb().toString(), "--url", platform.api().toString());
  }
}
