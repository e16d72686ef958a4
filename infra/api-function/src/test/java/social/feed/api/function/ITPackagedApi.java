package social.feed.api.function;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.streams.FunctionProcess;
import social.feed.streams.FunctionProcess.Launch;
import social.feed.streams.RuntimeApi;
import social.feed.testkit.LongRunning;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;

/**
 * The zip under AWS's own runtime client, restored from a snapshot, behind the gateway of the
 * tests. The client has native code for Linux only.
 */
@LongRunning
@EnabledOnOs(OS.LINUX)
class ITPackagedApi {
  private static final String SECRET = "a-secret-of-the-tests-that-is-long-enough";

  private static TestTable table;
  private static SecretsStandIn secrets;
  private static RuntimeApi lambda;
  private static FunctionProcess function;
  private static GatewayBridge gateway;
  private static Path work;
  private static Path root;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException, InterruptedException {
    work = folder;
    table = TestTable.start();
    secrets = new SecretsStandIn(Map.of("AWSCURRENT", SECRET + "-1", "AWSPENDING", SECRET + "-2"));
    root = Files.createDirectory(folder.resolve("task"));
    FunctionProcess.unpack(root);
    lambda = new RuntimeApi();
    function = FunctionProcess.start(lambda, launch(folder, settings()));
    lambda.awaitReady();
    gateway = new GatewayBridge(event -> invoke(lambda, event));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    function.close();
    lambda.close();
    secrets.close();
    table.close();
  }

  private static Launch launch(Path folder, Map<String, String> settings) {
    return new Launch(ApiFunction.class.getName(), root, folder, List.of(), List.of(), settings);
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start");
    settings.put("AWS_ENDPOINT_URL_SECRETS_MANAGER", secrets.address());
    settings.put("FEED_DYNAMODB_ENDPOINT", table.address().endpoint().toString());
    settings.put("FEED_DYNAMODB_LOCAL", "true");
    settings.put("FEED_DYNAMODB_REGION", table.address().region());
    settings.put("FEED_DYNAMODB_TABLE", table.table().name());
    settings.put("FEED_DEV_ISSUER_ENABLED", "true");
    settings.put("FEED_LOG_FORMAT", "json");
    settings.put("FEED_LOG_METRICS", "true");
    settings.put("FEED_DEV_ISSUER_SECRET", SECRET);
    settings.put(CursorSecrets.ARN, "arn:aws:secretsmanager:us-east-1:000000000000:secret:cursor");
    return settings;
  }

  /** One event at a time, as an instance of a function handles them. */
  private static synchronized String invoke(RuntimeApi api, String event) {
    try {
      RuntimeApi.Answer answer = api.invoke(event);
      assertThat(answer.failed()).as(answer.body()).isFalse();
      return answer.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static SeedWorld world() {
    return new SeedWorld(
        table.table(), new SteppingClock(Instant.now().minus(Duration.ofDays(10))));
  }

  private static String log(Path folder) {
    try {
      return Files.readString(FunctionProcess.log(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void snapshot_isTakenAfterTheTableIsRead() {
    assertThat(lambda.wasRestored()).isTrue();
    assertThat(log(work)).contains("Primed: " + table.table().name() + " was read");
  }

  @Test
  void account_isRegistered_posts_andReadsItsFeedAndExport() {
    Api ann = Api.anonymous(gateway.uri()).as("ann");
    Expect.status(201, ann.post("/v1/users", "{\"handle\":\"ann_1\",\"display_name\":\"Ann\"}"));
    Answer post = ann.with("Idempotency-Key", "one").post("/v1/posts", "{\"text\":\"Grüße #tag\"}");
    Expect.status(201, post);

    assertThat(ann.get("/v1/posts/" + post.at("id")).at("text")).isEqualTo("Grüße #tag");
    Expect.status(200, ann.get("/v1/feed"));
    assertThat(ann.get("/v1/users/me/export").text()).contains(post.at("id"), "\"kind\":\"end\"");
    Expect.problem(401, "unauthenticated", Api.anonymous(gateway.uri()).get("/v1/feed"));
    Expect.problem(404, "not_found", ann.get("/v1/none"));
    assertThat(ann.get("/health").text()).isEqualTo("{\"status\":\"UP\"}");
    assertThat(ann.get("/v1/stream").status()).isEqualTo(200);
  }

  /** They exist on the local platform only. */
  @Test
  void pageAndItsInterface_areAbsent() {
    Api ann = Api.anonymous(gateway.uri()).as("ann");
    for (String path : List.of("/page/main.js", "/v1/dev/accounts", "/v1/dev/xray/requests")) {
      assertThat(ann.get(path).status()).as(path).isEqualTo(404);
    }
    assertThat(ann.get("/v1/dev/machine/lanes").status()).isEqualTo(404);
    assertThat(ann.get("/").status()).isEqualTo(404);
  }

  /** The requests before the snapshot are those of no caller. */
  @Test
  void metrics_areLoggedWithEachCall_andNoneOfThePriming() {
    Api ann = Api.anonymous(gateway.uri()).as("metered");
    int before = metrics("/v1/users/me");
    Expect.status(409, ann.get("/v1/users/me"));

    assertThat(metrics("/v1/users/me")).isEqualTo(before + 1);
    assertThat(metrics("/v1/access-patterns")).isZero();
  }

  private static int metrics(String route) {
    return (int)
        log(work)
            .lines()
            .filter(line -> line.contains("\"_aws\"") && line.contains(route + "\""))
            .count();
  }

  /** With step ACCEPT of a rotation, each side accepts the cursors of the other. */
  @Test
  void cursors_areSignedWithTheSecretOfTheStage(@TempDir Path folder)
      throws IOException, InterruptedException {
    SeedWorld world = world();
    Person ann = world.user("ann");
    Person bob = world.user("bob");
    ann.follows(bob);
    ann.follows(world.user("carol"));
    String path = "/v1/users/" + ann.id() + "/following?limit=1";
    Map<String, String> rotated = settings();
    rotated.put(CursorSecrets.SIGNS, "AWSPENDING");
    rotated.put(CursorSecrets.ACCEPTS, "AWSCURRENT");
    try (RuntimeApi other = new RuntimeApi();
        FunctionProcess _ = FunctionProcess.start(other, launch(folder, rotated))) {
      other.awaitReady();
      try (GatewayBridge rotating = new GatewayBridge(event -> invoke(other, event))) {
        Api before = Api.anonymous(gateway.uri()).as(ann.id());
        Api after = Api.anonymous(rotating.uri()).as(ann.id());
        String old = before.get(path).at("next_cursor");
        String next = after.get(path).at("next_cursor");

        Expect.status(200, after.get(path + "&cursor=" + old));
        Expect.problem(400, "invalid_cursor", before.get(path + "&cursor=" + next));
      }
    }
  }

  /**
   * Lambda would end the invocation, and the gateway answer without a reason. The invocation has 60
   * seconds, which is less than the time of a call and two seconds.
   */
  @Test
  void callThatMayTakeLongerThanTheInvocation_isNotBegun(@TempDir Path folder)
      throws IOException, InterruptedException {
    Map<String, String> settings = settings();
    settings.put("FEED_DYNAMODB_CALL_TIMEOUT", "59s");
    try (RuntimeApi other = new RuntimeApi();
        FunctionProcess _ = FunctionProcess.start(other, launch(folder, settings))) {
      other.awaitReady();
      try (GatewayBridge late = new GatewayBridge(event -> invoke(other, event))) {
        Api ann = Api.anonymous(late.uri()).as("late");

        Expect.problem(503, "table_busy", ann.get("/v1/users/me"));
        Expect.problem(404, "not_found", ann.get("/v1/none"));
      }
    }
  }

  @Test
  void versionPublishedWhileTheTableDoesNotAnswer_starts(@TempDir Path folder)
      throws IOException, InterruptedException {
    Map<String, String> settings = settings();
    settings.put("FEED_DYNAMODB_TABLE", "no-such-table");
    try (RuntimeApi other = new RuntimeApi();
        FunctionProcess _ = FunctionProcess.start(other, launch(folder, settings))) {
      other.awaitReady();

      assertThat(log(folder)).contains("Not primed");
    }
  }
}
