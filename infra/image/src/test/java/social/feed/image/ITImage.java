package social.feed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.TestTable;

/**
 * Tests the build context of the image and each instruction of its Dockerfile, without a container
 * engine. The JDK of this build replaces the base image.
 */
@LongRunning
@EnabledOnOs(OS.LINUX)
class ITImage {
  private static final Path CONTEXT = Path.of("target", "image").toAbsolutePath();
  private static final List<String> ABSENT =
      List.of(
          "/",
          "/page/main.js",
          "/v1/dev/accounts",
          "/v1/dev/xray/requests",
          "/v1/dev/machine/lanes");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The exit code of a JVM after SIGTERM. */
  private static final int TERMINATED = 143;

  /** As many requests of each route as find a mistake. The build in CI sends more. */
  private static final String ROUNDS = "25";

  private static Path folder;
  private static Container container;

  @BeforeAll
  static void build(@TempDir Path temporary) throws IOException, InterruptedException {
    folder = temporary;
    // The image's user must be able to enter the folder.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    var root = Files.createDirectory(folder.resolve("root"));
    try (var port = held()) {
      var settings = new HashMap<>(at(port));
      settings.put("REHEARSAL_ROUNDS", ROUNDS);
      container = Container.build(CONTEXT, root, settings);
    }
  }

  @AfterAll
  static void delete() throws IOException {
    container.open();
  }

  /**
   * Holds a free port. No other process is given it, and connections are refused. A server on Linux
   * may still listen there, because both reuse addresses.
   */
  private static Socket held() throws IOException {
    var socket = new Socket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return socket;
  }

  private static Map<String, String> at(Socket port) {
    return Map.of("MICRONAUT_SERVER_PORT", Integer.toString(port.getLocalPort()));
  }

  /** The API in a separate process. */
  private record Api(Process process, Map<String, String> settings, Path log, Socket port)
      implements AutoCloseable {
    static Api start(String name, URI dynamodb) throws IOException, InterruptedException {
      var settings = new HashMap<String, String>();
      settings.put("FEED_AUTH_AUDIENCE", "test");
      settings.put("FEED_AUTH_ISSUER", "https://test.invalid");
      settings.put("FEED_AUTH_JWKS_URL", "https://test.invalid");
      settings.put("FEED_CURSOR_SECRET", "test-test-test-test-test-test-test-test");
      settings.put("FEED_DYNAMODB_REGION", "us-east-1");
      settings.put("FEED_DYNAMODB_TABLE", "feed");
      settings.put("AWS_ENDPOINT_URL_DYNAMODB", dynamodb.toString());
      settings.put("AWS_ACCESS_KEY_ID", "test");
      settings.put("AWS_SECRET_ACCESS_KEY", "test");
      var port = held();
      settings.putAll(at(port));
      var log = folder.resolve(name + ".log");
      var api = new Api(container.start(log, settings), settings, log, port);
      var until = System.nanoTime() + PATIENCE.toNanos();
      while (container.health(settings) != 0) {
        assertThat(api.process.isAlive() && System.nanoTime() < until)
            .as(Files.readString(log))
            .isTrue();
        Polling.pause();
      }
      return api;
    }

    HttpRequest get(String path) {
      return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.getLocalPort() + path))
          .timeout(PATIENCE)
          .build();
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      process.onExit().join();
      port.close();
    }
  }

  @Test
  void api_answersFromAReadOnlyFolder() throws Exception {
    var files = container.files();
    try (var table = TestTable.start();
        var api = Api.start("writes-nothing", table.endpoint());
        var client = HttpClient.newHttpClient()) {
      var ready = client.send(api.get("/health/readiness"), BodyHandlers.ofString());

      assertThat(ready.statusCode()).as(Files.readString(api.log())).isEqualTo(200);
      assertThat(container.files()).isEqualTo(files);
      // The page and its interface exist on the local platform only.
      for (var path : ABSENT) {
        assertThat(client.send(api.get(path), BodyHandlers.ofString()).statusCode())
            .as(path)
            .isEqualTo(404);
      }
    }
  }

  /** A heap that begins small is collected for every few pages. */
  @Test
  void heap_beginsAtTwoThirdsOfItsMost() throws Exception {
    try (var slow = new SlowDynamoDb();
        var api = Api.start("heap", slow.endpoint())) {
      var log = Files.readString(api.log());

      assertThat(megabytes("Initial", log) * 3).isCloseTo(megabytes("Max", log) * 2, within(16L));
    }
  }

  private static long megabytes(String which, String log) {
    var matcher = Pattern.compile("Heap " + which + " Capacity: (\\d+)([MG])").matcher(log);
    assertThat(matcher.find()).as(log).isTrue();
    return Long.parseLong(matcher.group(1)) * (matcher.group(2).equals("G") ? 1_024 : 1);
  }

  /**
   * Only root can switch to the image's user. For other users, the API runs as the user of the
   * test.
   */
  @Test
  void api_runsAsTheImagesUser_ifTheTestIsRoot() throws Exception {
    try (var slow = new SlowDynamoDb();
        var api = Api.start("user", slow.endpoint())) {
      var status = Files.readAllLines(Path.of("/proc", Long.toString(api.process.pid()), "status"));
      long imagesUser =
          Long.parseLong(container.dockerfile().only("USER").arguments().split(":", 2)[0]);

      assertThat(imagesUser).isNotZero();
      assertThat(status)
          .filteredOn(line -> line.startsWith("Uid:"))
          .singleElement()
          .asString()
          .matches("Uid:(\\s+" + (Container.isRoot() ? imagesUser : Container.uid()) + "){4}");
    }
  }

  @Test
  void api_afterASignalToStop_answersItsOpenRequests() throws Exception {
    try (var slow = new SlowDynamoDb();
        var api = Api.start("ends", slow.endpoint());
        var client = HttpClient.newHttpClient()) {
      var answer = client.sendAsync(api.get("/health/readiness"), BodyHandlers.ofString());
      assertThat(slow.requested.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

      // Sends the signal to the process of the entry point, which is the API itself.
      api.process.destroy();
      assertThat(api.process.waitFor(1, TimeUnit.SECONDS)).isFalse();
      slow.answers.countDown();

      assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).statusCode()).isEqualTo(503);
      assertThat(api.process.waitFor()).isEqualTo(TERMINATED);
    }
  }

  /** A DynamoDB endpoint that answers when the test allows it, with an error. */
  private static final class SlowDynamoDb implements AutoCloseable {
    final CountDownLatch requested = new CountDownLatch(1);
    final CountDownLatch answers = new CountDownLatch(1);
    private final HttpServer server;

    SlowDynamoDb() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext(
          "/",
          exchange -> {
            requested.countDown();
            try {
              answers.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            var error = "{\"__type\":\"com.amazonaws.dynamodb#ResourceNotFoundException\"}";
            exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
            exchange.sendResponseHeaders(400, error.length());
            exchange.getResponseBody().write(error.getBytes(StandardCharsets.UTF_8));
            exchange.close();
          });
      server.start();
    }

    URI endpoint() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
      answers.countDown();
      server.stop(0);
    }
  }

  /** Another process may have the default port, and would answer in place of the API. */
  @Test
  void rehearsal_asksAtAPortOfItsOwn(@TempDir Path other) throws Exception {
    Files.copy(
        CONTEXT.resolve("rehearse"), other.resolve("rehearse"), StandardCopyOption.COPY_ATTRIBUTES);
    script(
        other.resolve("start"),
        "echo \"$MICRONAUT_SERVER_PORT\" | tee start.aot asked && exec tail -f /dev/null");
    script(other.resolve("healthy"), "grep -qx \"$MICRONAUT_SERVER_PORT\" asked");
    script(other.resolve("requests"), "echo \"$1\" >table");
    var builder = new ProcessBuilder(other.resolve("rehearse").toString());
    builder.environment().remove("MICRONAUT_SERVER_PORT");
    var rehearsal = builder.redirectErrorStream(true).start();
    var output = new String(rehearsal.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(rehearsal.waitFor()).as(output).isZero();
    int asked = Integer.parseInt(Files.readString(other.resolve("asked")).strip());
    int table = Integer.parseInt(Files.readString(other.resolve("table")).strip());
    assertThat(asked).isBetween(20_000, 32_000).isNotEqualTo(table);
    assertThat(table).isBetween(20_000, 32_000);
  }

  /** A cache of requests that were refused would look like any other. */
  @Test
  void rehearsal_whoseRequestsFail_fails(@TempDir Path other) throws Exception {
    Files.copy(
        CONTEXT.resolve("rehearse"), other.resolve("rehearse"), StandardCopyOption.COPY_ATTRIBUTES);
    script(other.resolve("start"), "touch start.aot && exec tail -f /dev/null");
    script(other.resolve("healthy"), "true");
    script(other.resolve("requests"), "exit 1");

    assertThat(new ProcessBuilder(other.resolve("rehearse").toString()).start().waitFor())
        .isEqualTo(1);
  }

  /** Writes a program of one line. */
  private static void script(Path file, String line) throws IOException {
    Files.writeString(file, "#!/usr/bin/env bash\nset -euo pipefail\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void healthCheck_withoutAListener_fails() throws IOException, InterruptedException {
    try (var port = held()) {
      assertThat(container.health(at(port))).isNotZero();
    }
  }

  @Test
  void port_isWhereTheApiListensByDefault() throws IOException {
    var settings = new Properties();
    try (var files = Files.list(container.workdir().resolve("app"))) {
      var jar = files.filter(it -> it.toString().contains("/feed-api-")).findFirst();
      try (var zip = new ZipFile(jar.orElseThrow().toFile())) {
        settings.load(zip.getInputStream(zip.getEntry("application.properties")));
      }
    }

    assertThat(container.dockerfile().only("EXPOSE").arguments())
        .isEqualTo(settings.getProperty("micronaut.server.port"));
  }

  @Test
  void layers_containTheApiWithDependencies_andNoTestsOrEngines() throws IOException {
    var files = container.files().keySet();

    assertThat(files)
        .filteredOn(name -> name.startsWith("app/app/"))
        .allMatch(name -> name.matches("app/app/(events|feed-api|search|table-design)-.*\\.jar"))
        .hasSize(4);
    assertThat(files)
        .filteredOn(name -> name.startsWith("app/lib/"))
        .allMatch(name -> name.endsWith(".jar"))
        .noneMatch(name -> name.contains("feed-api") || name.contains("table-design"))
        .noneMatch(name -> name.contains("DynamoDBLocal") || name.contains("sqlite"))
        .anyMatch(name -> name.contains("opensearch-java"))
        .anyMatch(name -> name.contains("icu4j"))
        .noneMatch(name -> name.contains("junit") || name.contains("aws-lambda"));
    assertThat(files)
        .filteredOn(name -> !name.startsWith("app/lib/") && !name.startsWith("app/app/"))
        .filteredOn(name -> !name.startsWith("app/rehearsal/social/feed/image/"))
        .containsExactly(
            "app/healthy", "app/rehearse", "app/requests", "app/start", "app/start.aot");
  }

  /**
   * In the image, root owns the files and another user runs the API. The build may have any umask.
   */
  @Test
  void context_isReadableByAllUsers() throws IOException {
    try (var files = Files.walk(CONTEXT)) {
      assertThat(files.filter(file -> !file.equals(CONTEXT)))
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .matches(Files.isDirectory(file) ? "rwxr-xr-x" : "rw(-r--r--|xr-xr-x)"));
    }
  }

  @Test
  void unknownInstruction_isRejected(@TempDir Path other) throws IOException {
    Files.writeString(other.resolve("Dockerfile"), "FROM scratch\nVOLUME /data\n");

    assertThatThrownBy(() -> Container.build(other, other, Map.of()))
        .hasMessageContaining("VOLUME");
    assertThatThrownBy(
            () -> Dockerfile.parse("ENTRYPOINT java -jar x.jar").only("ENTRYPOINT").command())
        .hasMessageContaining("must name a program");
  }
}
