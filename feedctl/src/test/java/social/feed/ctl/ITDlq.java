package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.engine.EngineClients;
import social.feed.engine.eventsource.StreamTail;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.table.graph.FollowWrites;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.store.Backoff;
import social.feed.table.store.Table;
import social.feed.table.time.Timestamps;
import social.feed.table.user.Users;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** What somebody sees and does about dead letters, on a whole platform. */
class ITDlq {
  private static final Instant NOW = Timestamps.now(Clock.systemUTC());

  private LocalPlatform platform;
  private DynamoDbClient client;
  private SqsClient queues;
  private Table table;

  @BeforeEach
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
    client = local(DynamoDbClient.builder(), platform.dynamodb());
    queues = local(SqsClient.builder(), platform.deadLetters().resolve("/"));
    table = new Table(client, PlatformSettings.TABLE, Backoff.standard());
    Stream.of("ann", "bob", "cleo").forEach(this::register);
  }

  @AfterEach
  void stop() {
    queues.close();
    client.close();
    platform.close();
  }

  /** What a command said, and its exit code. */
  private record Said(int code, String text) {}

  @Test
  void noLetters_isSaid() {
    assertThat(dlq("list"))
        .isEqualTo(new Said(0, "The queue is empty: nothing has become a dead letter.\n"));
    assertThat(dlq("redrive", "--all")).isEqualTo(new Said(0, "0 applied, 0 kept.\n"));
    assertThat(dlq("drop", "--all")).isEqualTo(new Said(0, "0 dropped.\n"));
  }

  @Test
  void poison_isOneLetter_andItsNeighboursAreDone() {
    var id = poison();
    follow("bob", "cleo");
    drain();
    assertThat(followers("cleo")).isEqualTo(1);
    assertThat(new Notifications(table, Clock.systemUTC()).unreadCount("ann")).isEqualTo(1);
    for (int look = 1; look <= 3; look++) {
      var list = dlq("list");
      assertThat(list.code()).isZero();
      assertThat(list.text())
          .contains(
              id,
              "counts",
              "FOLLOW FOLLOWEE#ann / FOLLOWER#bob",
              "User lacks followers_count",
              "1 letter.")
          .hasLineCount(3);
    }
  }

  @Test
  void show_saysEverything() {
    var said = dlq("show", poison());
    assertThat(said.code()).isZero();
    assertThat(said.text())
        .contains(
            "handler     counts at USER#ann / META\n",
            "event       INSERT\n",
            "shard       shardId-")
        .contains("reason      MalformedItemException: User lacks followers_count")
        .contains("old image   none\n", "\"followee_id\" : {\n    \"S\" : \"ann\"\n  }")
        .containsPattern("sequence    \\d{21,}\n");
    assertThat(dlq("show", "nonsense").code()).isEqualTo(1);
  }

  @Test
  void redrive_whileTheCauseIsThere_keepsTheLetterAndSaysWhy() {
    var id = poison();
    var said = dlq("redrive", id);
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.text()).contains("Kept, because it failed again", "lacks followers_count");
    assertThat(dlq("list").text()).contains(id);
  }

  @Test
  void redrive_afterwards_countsOnceWhateverComesAgain() {
    var id = poison();
    var copy =
        queues
            .receiveMessage(
                r -> r.queueUrl(url()).visibilityTimeout(0).messageAttributeNames("All"))
            .messages()
            .getFirst();
    repair();
    var said = dlq("redrive", id);
    assertThat(said.code()).isZero();
    assertThat(said.text())
        .contains("Applied: +1 followers_count of USER#ann / META.", "1 applied, 0 kept.");
    assertThat(dlq("list").text()).contains("The queue is empty");
    assertThat(dlq("redrive", id).code()).isEqualTo(1);
    platform.replay();
    drain();
    assertThat(followers("ann")).isEqualTo(1);
    queues.sendMessage(
        m ->
            m.queueUrl(url()).messageBody(copy.body()).messageAttributes(copy.messageAttributes()));
    assertThat(dlq("redrive", "--all").text()).contains(id, "It was applied before");
    assertThat(followers("ann")).isEqualTo(1);
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  @Test
  void redrive_ofWhatWasCountedAnew_addsNothing() {
    poison();
    repair();
    assertThat(verify("--fix").text()).contains("followers_count is 0, counted are 1");
    assertThat(followers("ann")).isEqualTo(1);
    var said = dlq("redrive", "--all");
    assertThat(said.code()).isZero();
    assertThat(said.text()).contains("It was applied before, or counted anew since");
    assertExactAfterAReplay();
  }

  @Test
  void redrive_beforeItIsCountedAnew_isInTheCount() {
    poison();
    update("SET followers_count = :n", Map.of(":n", AttributeValue.fromN("5")));
    assertThat(dlq("redrive", "--all").text()).contains("1 applied");
    assertThat(followers("ann")).isEqualTo(6);
    assertThat(verify("--fix").code()).isZero();
    assertExactAfterAReplay();
  }

  @Test
  void redrive_ofAPostThatWasCountedAnew_addsNothing() {
    drain();
    update("REMOVE posts_count", Map.of());
    new Posts(table).create(Written.post("ann", NOW, "Hello"));
    drain();
    assertThat(dlq("list").text()).contains("CountOnce", "1 letter.");
    update("SET posts_count = :n", Map.of(":n", AttributeValue.fromN("0")));
    assertThat(verify("--fix").text()).contains("posts_count is 0, counted are 1");
    assertThat(dlq("redrive", "--all").code()).isZero();
    assertThat(new Users(table).get("ann").orElseThrow().postsCount()).isEqualTo(1);
    platform.replay();
    drain();
    assertThat(new Users(table).get("ann").orElseThrow().postsCount()).isEqualTo(1);
    assertThat(verify().code()).isZero();
  }

  @Test
  void redrive_ofAMonthThatWasCountedAnew_addsNothing() {
    follow("cleo", "ann");
    drain();
    poison(TopAuthor.key(NOW, "ann"), () -> follow("bob", "ann"));
    assertCountedAnewAndNotAddedTo("gained is 1, counted are 2");
    assertThat(followers("ann")).isEqualTo(2);
  }

  @Test
  void redrive_ofAUseOfATagThatWasCountedAnew_addsNothing() {
    var posts = new Posts(table);
    posts.create(Written.post("ann", NOW, "Hello", "sea"));
    drain();
    poison(trend("sea"), () -> posts.create(Written.post("bob", NOW, "Hello", "sea")));
    assertCountedAnewAndNotAddedTo("was used 1 times at");
  }

  /** By another half-life than that of the platform nothing is found to be counted. */
  @Test
  void redrive_byAnotherHalfLife_keepsTheLetter() {
    var posts = new Posts(table);
    posts.create(Written.post("ann", NOW, "Hello", "sea"));
    drain();
    poison(trend("sea"), () -> posts.create(Written.post("bob", NOW, "Hello", "sea")));
    var other = dlq("redrive", "--all", "--trend-half-life-hours", "12");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.text()).contains("does not count there", "0 applied, 1 kept.");
    assertThat(dlq("redrive", "--all").text()).contains("1 applied, 0 kept.");
    assertThat(verify().code()).isZero();
  }

  /** On AWS queues are known by their URLs alone. */
  @Test
  void redrive_ofACrossing_isToldInTheQueueThatIsNamed() {
    drain();
    update(
        "SET is_celebrity = :yes, celebrity_version = :first",
        Map.of(":yes", AttributeValue.fromBool(true), ":first", AttributeValue.fromN("1")));
    drain();
    // As if the multiplexer had not been able to.
    table.deleteAll(List.of(PulledAuthor.key("ann")));
    drain();
    new SqsDeadLetters(queues, url())
        .send(DeadLetter.of("Flip", "The queue of events is not there", crossing()));
    var elsewhere = queues.createQueue(q -> q.queueName("elsewhere")).queueUrl();

    var untold = redriveByUrl();
    var told = redriveByUrl("--event-queue-url", elsewhere);

    assertThat(untold.code()).isEqualTo(1);
    assertThat(untold.text()).contains("--event-queue-url", "0 applied, 1 kept.");
    assertThat(told.code()).as(told.text()).isZero();
    assertThat(queues.receiveMessage(r -> r.queueUrl(elsewhere)).messages())
        .singleElement()
        .extracting(Message::body)
        .asString()
        .contains("\"user_id\":\"ann\",\"is_celebrity\":true");
  }

  /** The record of the stream by which somebody became a celebrity. */
  private DynamodbStreamRecord crossing() {
    var described = client.describeTable(d -> d.tableName(PlatformSettings.TABLE)).table();
    try (var streams = local(DynamoDbStreamsClient.builder(), platform.dynamodb())) {
      return new StreamTail(streams, described.latestStreamArn())
          .read().stream()
              .map(Tailed::record)
              .filter(record -> record.getEventName().equals("MODIFY"))
              .filter(
                  record ->
                      Optional.ofNullable(record.getDynamodb().getNewImage().get(User.IS_CELEBRITY))
                          .map(flag -> flag.getBOOL())
                          .orElse(false))
              .findFirst()
              .orElseThrow();
    }
  }

  private Said redriveByUrl(String... more) {
    var own =
        List.of(
            "dlq",
            "redrive",
            "--all",
            "--queue-url",
            url(),
            "--endpoint",
            platform.dynamodb().toString());
    return run(Stream.concat(own.stream(), Stream.of(more)).toArray(String[]::new));
  }

  /** Something that a row of a ranking cannot take; the row is whole again afterwards. */
  private void poison(Key ranked, Runnable cause) {
    update(ranked, "REMOVE revision", Map.of());
    cause.run();
    drain();
    assertThat(dlq("list").text()).contains("1 letter.", "counts at T");
    update(ranked, "SET revision = :n", Map.of(":n", AttributeValue.fromN("1")));
  }

  private void assertCountedAnewAndNotAddedTo(String drift) {
    assertThat(verify("--fix").text()).contains(drift);
    var said = dlq("redrive", "--all");
    assertThat(said.code()).as(said.text()).isZero();
    assertThat(said.text()).contains("It was applied before, or counted anew since");
    platform.replay();
    drain();
    assertThat(verify().code()).isZero();
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  /** The one row in which the uses of a tag are counted: there is one shard. */
  private Key trend(String tag) {
    var keys =
        IntStream.range(0, TagTrend.SPREAD)
            .mapToObj(spread -> TagTrend.empty(TrendingTags.HALF_LIFE.toHours(), tag, spread).key())
            .toList();
    return table.getAll(keys, true).getFirst().key();
  }

  @Test
  void drop_takesOnlyWhatIsNamed() {
    var id = poison();
    client.putItem(
        p ->
            p.tableName(PlatformSettings.TABLE)
                .item(
                    Map.of(
                        "PK", AttributeValue.fromS("POST#1"),
                        "SK", AttributeValue.fromS("TEA\nPOT"),
                        "entity", AttributeValue.fromS("TEAPOT"))));
    drain();
    assertThat(dlq("list").text())
        .contains("3 letters.", "TEAPOT POST#1 / TEA?POT", "decode")
        .hasLineCount(5);
    assertThat(dlq("drop").code()).isEqualTo(2);
    assertThat(dlq("drop", id).text()).contains("Dropped  " + id, "1 dropped.");
    assertThat(dlq("redrive", "--all").code()).isEqualTo(1);
    assertThat(dlq("drop", "--all").text()).contains("2 dropped.");
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  @Test
  void foreignMessage_isShownAndCanBeDropped() {
    queues.sendMessage(m -> m.queueUrl(url()).messageBody("hello"));
    assertThat(dlq("list").text()).contains("The message names no handler");
    var id = id();
    assertThat(dlq("show", id).text()).contains("hello");
    assertThat(dlq("redrive", id).code()).isEqualTo(1);
    assertThat(dlq("drop", id).code()).isZero();
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  @Test
  void moreThanAreTakenAtATime_isSaid_andNoneIsLost() {
    for (int batch = 0; batch < 3; batch++) {
      int first = batch * 10;
      queues.sendMessageBatch(
          s ->
              s.queueUrl(url())
                  .entries(Stream.iterate(first, i -> i + 1).limit(9).map(ITDlq::entry).toList()));
    }
    assertThat(dlq("list", "--max", "20").text())
        .contains("20 letters.", "There are about 7 more.");
    assertThat(dlq("list").text()).contains("27 letters.");
    assertThat(dlq("drop", "--all").text()).contains("27 dropped.");
  }

  @Test
  void lettersThatSomebodyElseHolds_areSaid() {
    poison();
    queues.receiveMessage(r -> r.queueUrl(url()).visibilityTimeout(60));
    assertThat(dlq("list").text()).contains("Somebody else holds about 1 just now");
  }

  @Test
  void queueThatIsNotThere_isASentence() {
    assertThat(run("dlq", "list", "--queue", "http://127.0.0.1:1"))
        .isEqualTo(
            new Said(
                2,
                "feed: No queue answers at http://127.0.0.1:1. Start the platform with ./feed up, or"
                    + " name the endpoint of its queues with --queue.\n"));
    var other = platform.deadLetters().resolve("nothing").toString();
    assertThat(run("dlq", "list", "--queue-url", other).text()).contains("There is no such queue");
    assertThat(run("dlq", "list", "--queue-url", url()).code()).isZero();
  }

  private void assertExactAfterAReplay() {
    assertThat(followers("ann")).isEqualTo(1);
    platform.replay();
    drain();
    assertThat(followers("ann")).isEqualTo(1);
    assertThat(verify().code()).isZero();
    assertThat(dlq("list").text()).contains("The queue is empty");
  }

  private Said verify(String... arguments) {
    var where =
        List.of(
            "verify",
            "--endpoint",
            platform.dynamodb().toString(),
            "--url",
            platform.api().toString());
    return run(Stream.concat(where.stream(), Stream.of(arguments)).toArray(String[]::new));
  }

  /** A follow of ann that cannot be counted, and the id of its letter. */
  private String poison() {
    drain();
    update("REMOVE followers_count", Map.of());
    follow("bob", "ann");
    drain();
    return id();
  }

  private void repair() {
    update("SET followers_count = :n", Map.of(":n", AttributeValue.fromN("0")));
  }

  private String id() {
    return dlq("list").text().lines().skip(1).findFirst().orElseThrow().split(" ", 2)[0];
  }

  private void update(String expression, Map<String, AttributeValue> values) {
    update(User.key("ann"), expression, values);
  }

  private void update(Key item, String expression, Map<String, AttributeValue> values) {
    client.updateItem(
        u ->
            u.tableName(PlatformSettings.TABLE)
                .key(KeyAttributes.of(item))
                .updateExpression(expression)
                .expressionAttributeValues(values.isEmpty() ? null : values));
  }

  private void register(String id) {
    new Users(table).register(User.registered(id, id, id, null, NOW));
  }

  private void follow(String follower, String followee) {
    new FollowWrites(table, 10).follow(Follow.of(follower, followee, NOW));
  }

  private long followers(String id) {
    return new Users(table).get(id).orElseThrow().followersCount();
  }

  private void drain() {
    platform.drain(Duration.ofSeconds(60));
  }

  private String url() {
    return platform.deadLetters().toString();
  }

  private Said dlq(String command, String... arguments) {
    var own = List.of("--queue", platform.deadLetters().resolve("/").toString());
    var ofTable =
        command.equals("redrive")
            ? List.of("--endpoint", platform.dynamodb().toString())
            : List.<String>of();
    return run(
        Stream.of(List.of("dlq", command), own, ofTable, List.of(arguments))
            .flatMap(List::stream)
            .toArray(String[]::new));
  }

  private static Said run(String... arguments) {
    var text = new StringWriter();
    var out = new PrintWriter(text, true);
    int code = Main.commandLine().setOut(out).setErr(out).execute(arguments);
    return new Said(code, text.toString());
  }

  private static SendMessageBatchRequestEntry entry(int number) {
    return SendMessageBatchRequestEntry.builder().id("m" + number).messageBody("no letter").build();
  }

  private static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C local(
      B builder, URI server) {
    return EngineClients.local(builder, server)
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }
}
