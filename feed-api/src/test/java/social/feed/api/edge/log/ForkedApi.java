package social.feed.api.edge.log;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.api.Application;
import social.feed.api.http.Api;
import social.feed.testkit.Polling;
import social.feed.testkit.TestTable;

/** The API in a process of its own, as in its image, with what it prints. */
final class ForkedApi implements AutoCloseable {
  private static final Pattern STARTED = Pattern.compile("Server Running: (http://[^\"\\s]+)");

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private ForkedApi(Process process) {
    this.process = process;
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    this.reader = Thread.ofVirtual().start(() -> output.lines().forEach(lines::add));
  }

  /** Starts the API on a free port, with variables in addition to those of its table. */
  static ForkedApi start(TestTable table, Map<String, String> variables) throws IOException {
    // The classes of the tests have routes and beans of their own.
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath,
                Application.class.getName())
            .redirectErrorStream(true);
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("FEED_CURSOR_SECRET", "a-secret-of-the-tests-that-is-long-enough");
    environment.put("FEED_DEV_ISSUER_ENABLED", "true");
    environment.put("FEED_DEV_ISSUER_SECRET", "another-secret-of-the-tests-long-enough");
    environment.put("FEED_DYNAMODB_ENDPOINT", table.address().endpoint().toString());
    environment.put("FEED_DYNAMODB_LOCAL", Boolean.toString(!table.address().isAws()));
    environment.put("FEED_DYNAMODB_REGION", table.address().region());
    environment.put("FEED_DYNAMODB_TABLE", table.table().name());
    environment.put("MICRONAUT_SERVER_PORT", "-1");
    builder.environment().keySet().removeIf(name -> name.startsWith("FEED_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    return new ForkedApi(builder.start());
  }

  /** Returns a client of the API, when it has started. */
  Api client() {
    return Api.anonymous(URI.create(address()));
  }

  private String address() {
    Polling.until(() -> addresses().findAny().isPresent() || !process.isAlive());
    return addresses().findAny().orElseThrow(() -> new AssertionError(String.join("\n", lines)));
  }

  private Stream<String> addresses() {
    return lines.stream().map(STARTED::matcher).filter(Matcher::find).map(found -> found.group(1));
  }

  /** Returns all lines so far. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns all lines so far as JSON; fails where one is not. */
  List<JsonNode> json() {
    return lines().stream().map(ForkedApi::parsed).toList();
  }

  static JsonNode parsed(String line) {
    try {
      return JsonMapper.createDefault().readValue(line, JsonNode.class);
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
  }

  /** Stops the API as a scheduler does, and waits for its last line. */
  void stop() throws InterruptedException {
    // The process itself would also close what it prints.
    boolean _ = process.toHandle().destroy();
    process.waitFor();
    reader.join();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
