package social.feed.ctl;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import social.feed.engine.EngineClients;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Runs a whole platform with dead letters, and the commands for them. */
abstract class DeadLetterScenario {
  static final Instant NOW = Timestamps.now(Clock.systemUTC());

  LocalPlatform platform;
  DynamoDbClient client;
  SqsClient queues;
  Table table;

  @BeforeEach
  void start() {
    platform = LocalPlatform.start(settings());
    client = local(DynamoDbClient.builder(), platform.dynamodb());
    queues = local(SqsClient.builder(), platform.deadLetters().resolve("/"));
    table = new Table(client, PlatformSettings.TABLE, Retry.standard());
    Stream.of("ann", "bob", "cleo").forEach(this::register);
  }

  @AfterEach
  void stop() {
    queues.close();
    client.close();
    platform.close();
  }

  /** Returns the settings of the platform. */
  PlatformSettings settings() {
    return PlatformSettings.inMemory();
  }

  /** The output of a command, and its exit code. */
  record Result(int code, String text) {}

  Result verify(String... arguments) {
    var where =
        List.of(
            "verify",
            "--endpoint",
            platform.dynamodb().toString(),
            "--url",
            platform.api().toString());
    return run(Stream.concat(where.stream(), Stream.of(arguments)).toArray(String[]::new));
  }

  /** Follows ann in a way that cannot be counted, and returns the id of the dead letter. */
  String poison() {
    drain();
    update("REMOVE followers_count", Map.of());
    follow("bob", "ann");
    drain();
    return id();
  }

  String id() {
    return dlq("list").text().lines().skip(1).findFirst().orElseThrow().split(" ", 2)[0];
  }

  void update(String expression, Map<String, AttributeValue> values) {
    update(User.key("ann"), expression, values);
  }

  void update(Key item, String expression, Map<String, AttributeValue> values) {
    client.updateItem(
        u ->
            u.tableName(PlatformSettings.TABLE)
                .key(KeyAttributes.of(item))
                .updateExpression(expression)
                .expressionAttributeValues(values.isEmpty() ? null : values));
  }

  void register(String id) {
    new Users(table).register(User.registered(id, id, id, null, NOW));
  }

  void follow(String follower, String followee) {
    new FollowWriter(table, 10).follow(Follow.of(follower, followee, NOW));
  }

  long followers(String id) {
    return new Users(table).get(id).orElseThrow().followersCount();
  }

  void drain() {
    platform.drain(Duration.ofSeconds(60));
  }

  String url() {
    return platform.deadLetters().toString();
  }

  Result dlq(String command, String... arguments) {
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

  static Result run(String... arguments) {
    var text = new StringWriter();
    var out = new PrintWriter(text, true);
    int code = Main.commandLine().setOut(out).setErr(out).execute(arguments);
    return new Result(code, text.toString());
  }

  static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C local(
      B builder, URI server) {
    return EngineClients.local(builder, server)
        .httpClientBuilder(Apache5HttpClient.builder())
        .build();
  }
}
