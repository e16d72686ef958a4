package social.feed.api.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.engine.LocalQueue;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.streams.FunctionProcess;
import social.feed.streams.FunctionProcess.Launch;
import social.feed.streams.RuntimeApi;
import social.feed.streams.sink.SinkMessage;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.TestTable;

/**
 * The layer of search with each of the packages that need it, under AWS's own runtime client. The
 * address of the domain answers nothing, so a request is signed and then fails: a class that is
 * missing would be another failure.
 */
@LongRunning
@EnabledOnOs(OS.LINUX)
class ITSearchLayer {
  private static final long LAMBDA_ALLOWS = 50L * 1024 * 1024;
  private static final String SECRET = "a-secret-of-the-tests-that-is-long-enough";
  private static final String NOWHERE = "https://127.0.0.1:1";
  private static final String REFUSED = "Connect to " + NOWHERE + " failed";

  private static final Path LAYER = Path.of(property("search-layer.zip"));
  private static final Path API = FunctionProcess.zip();
  private static final Path MULTIPLEXER =
      Path.of("..", "function", "target", "feed-function.zip").toAbsolutePath();

  private static TestTable table;

  @BeforeAll
  static void start() {
    table = TestTable.start();
  }

  @AfterAll
  static void stop() {
    table.close();
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty(name), name);
  }

  private static Set<String> jars(Path zip) throws IOException {
    try (var file = new ZipFile(zip.toFile())) {
      var names = new HashSet<String>();
      file.stream()
          .filter(entry -> entry.getName().endsWith(".jar"))
          .forEach(entry -> names.add(entry.getName().replaceFirst(".*/", "")));
      return names;
    }
  }

  /** Lambda's client finds the libraries of the package and of its layers with one loader. */
  private static Path unpacked(Path folder, Path... zips) throws IOException {
    var lib = Files.createDirectories(folder.resolve("task").resolve("lib"));
    for (var zip : zips) {
      try (var file = new ZipFile(zip.toFile())) {
        for (var entry : file.stream().filter(e -> e.getName().endsWith(".jar")).toList()) {
          Files.copy(
              file.getInputStream(entry), lib.resolve(entry.getName().replaceFirst(".*/", "")));
        }
      }
    }
    return folder.resolve("task");
  }

  @Test
  void layer_hasWhatThePackagesLeaveOut() throws IOException {
    assertThat(Files.size(LAYER)).isLessThan(LAMBDA_ALLOWS);
    try (var file = new ZipFile(LAYER.toFile())) {
      assertThat(file.stream().filter(entry -> !entry.isDirectory()))
          .allMatch(entry -> entry.getName().matches("java/lib/[^/]*\\.jar"));
    }
    assertThat(jars(LAYER))
        .anyMatch(name -> name.startsWith("opensearch-java-"))
        .anyMatch(name -> name.startsWith("icu4j-"))
        .anyMatch(name -> name.startsWith("lucene-core-"))
        .doesNotContainAnyElementsOf(jars(API))
        .doesNotContainAnyElementsOf(jars(MULTIPLEXER));
  }

  @Test
  void api_withTheLayer_signsSearches(@TempDir Path folder) throws Exception {
    var settings = new HashMap<String, String>();
    settings.put("FEED_DYNAMODB_ENDPOINT", table.address().endpoint().toString());
    settings.put("FEED_DYNAMODB_LOCAL", "true");
    settings.put("FEED_DYNAMODB_REGION", table.address().region());
    settings.put("FEED_DYNAMODB_TABLE", table.table().name());
    settings.put("FEED_DEV_ISSUER_ENABLED", "true");
    settings.put("FEED_DEV_ISSUER_SECRET", SECRET);
    settings.put("FEED_CURSOR_SECRET", SECRET);
    settings.put("FEED_SEARCH_URL", NOWHERE);
    settings.put("FEED_SEARCH_REGION", "eu-central-1");
    var root = unpacked(folder, API, LAYER);
    var launch =
        new Launch(ApiFunction.class.getName(), root, folder, List.of(), List.of(), settings);
    try (var lambda = new RuntimeApi();
        var _ = FunctionProcess.start(lambda, launch)) {
      lambda.awaitReady();
      try (var gateway = new GatewayBridge(event -> answer(lambda, event))) {
        Api ann = Api.anonymous(gateway.uri()).as("ann");
        Expect.status(201, ann.post("/v1/users", "{\"handle\":\"ann\",\"display_name\":\"A\"}"));
        // On a busy machine, a first search may end with its time before it connects.
        Polling.until(
            () -> {
              Expect.problem(503, "search_unavailable", ann.get("/v1/search/posts?q=tea"));
              return log(folder).contains(REFUSED);
            });
      }
    }
    assertThat(log(folder))
        .contains("AwsSdk2Transport")
        .doesNotContain("NoClassDefFoundError", "ClassNotFoundException");
  }

  private static String log(Path folder) {
    try {
      return Files.readString(FunctionProcess.log(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String answer(RuntimeApi lambda, String event) {
    try {
      return lambda.invoke(event).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void sinks_withTheLayer_signWrites(@TempDir Path folder) throws Exception {
    try (var queues = LocalQueue.start()) {
      var queue = queues.createQueue("sinks").toString();
      var settings =
          Map.of(
              "AWS_ENDPOINT_URL_DYNAMODB",
              table.endpoint().toString(),
              "AWS_ENDPOINT_URL_SQS",
              queues.endpoint().toString(),
              "FEED_MULTIPLEXER_TABLE",
              table.table().name(),
              "FEED_MULTIPLEXER_DEAD_LETTER_QUEUE_URL",
              queue,
              "FEED_MULTIPLEXER_EVENT_QUEUE_URL",
              queue,
              "FEED_SINKS_QUEUE_URL",
              queue,
              "FEED_SEARCH_URL",
              NOWHERE,
              "FEED_SEARCH_REGION",
              "eu-central-1");
      var launch =
          new Launch(
              "social.feed.streams.lambda.SinkFunction",
              unpacked(folder, MULTIPLEXER, LAYER),
              folder,
              List.of(),
              List.of(),
              settings);
      try (var lambda = new RuntimeApi();
          var _ = FunctionProcess.start(lambda, launch)) {
        lambda.awaitReady();
        var answer = lambda.invoke(event());
        assertThat(answer.failed()).as(answer.body()).isFalse();
        assertThat(answer.body()).doesNotContain("itemIdentifier");
      }
    }
    assertThat(log(folder))
        .contains("Sink search failed", REFUSED)
        .doesNotContain("NoClassDefFoundError", "ClassNotFoundException");
  }

  private static String event() {
    var erased =
        new DomainEvent(
            EventType.ACCOUNT_ERASED,
            Instant.parse("2026-03-01T12:00:00Z"),
            "account:bob",
            "1",
            "bob",
            new TreeMap<>(Map.of(EventType.USER_ID, "bob")));
    var json = new ObjectMapper().createObjectNode();
    json.putArray("Records")
        .addObject()
        .put("messageId", "1")
        .put("eventSource", "aws:sqs")
        .put("body", new SinkMessage("search", 0, Instant.now(), erased).body());
    return json.toString();
  }
}
