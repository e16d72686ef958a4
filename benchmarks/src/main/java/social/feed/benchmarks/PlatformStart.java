package social.feed.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Starts the local platform by its launcher, and the engine below it alone. */
final class PlatformStart {
  private static final Pattern API = Pattern.compile("API +(http\\S+)");
  private static final long BETWEEN_NANOS = 2_000_000;

  private final Path launcher;

  /**
   * @param launcher the script {@code feed} of a checkout
   */
  PlatformStart(Path launcher) {
    this.launcher = launcher;
  }

  /** Returns the milliseconds until {@code ./feed up} is healthy, with its data in memory. */
  double inMemory() throws IOException, InterruptedException {
    return with("--in-memory");
  }

  /** Returns the milliseconds until {@code ./feed up} is healthy, with its data in a folder. */
  double onDisk(Path data) throws IOException, InterruptedException {
    return with("--data", data.toString());
  }

  /** Measures from the start of the launcher to the first healthy response. */
  private double with(String... storage) throws IOException, InterruptedException {
    var command = command(storage);
    long start = System.nanoTime();
    var process = launch(command, Map.of());
    try (var lines = process.inputReader()) {
      untilHealthy(lines.lines().iterator());
      return (System.nanoTime() - start) / 1e6;
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Records starts in memory until they are healthy, and orderly ends, in which the JVM writes. */
  void profile(StartRecording recording) throws IOException, InterruptedException {
    for (int i = 0; i < StartRecording.STARTS; i++) {
      var process = launch(command("--in-memory"), Map.of("JDK_JAVA_OPTIONS", recording.option()));
      try (var lines = process.inputReader()) {
        untilHealthy(lines.lines().iterator());
        process.destroy();
        process.waitFor();
      } finally {
        process.destroyForcibly();
      }
      recording.add();
    }
  }

  private static Process launch(List<String> command, Map<String, String> environment)
      throws IOException {
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static void untilHealthy(Iterator<String> output) throws InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var health = address(output).resolve("/health");
      while (!isHealthy(http, health)) {
        LockSupport.parkNanos(BETWEEN_NANOS);
      }
    }
  }

  private List<String> command(String... storage) {
    var command = new ArrayList<>(List.of(launcher.toString(), "up"));
    command.addAll(List.of(storage));
    command.addAll(List.of("--port", "0", "--dynamodb-port", "0", "--queue-port", "0"));
    return command;
  }

  private static URI address(Iterator<String> lines) {
    while (lines.hasNext()) {
      Matcher line = API.matcher(lines.next());
      if (line.find()) {
        return URI.create(line.group(1));
      }
    }
    throw new IllegalStateException("./feed up ended before it printed its address");
  }

  private static boolean isHealthy(HttpClient http, URI health) throws InterruptedException {
    try {
      return http.send(HttpRequest.newBuilder(health).build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the milliseconds from the start of a JVM with DynamoDB Local to its first answer. */
  static double ofEngine() throws Exception {
    long start = System.nanoTime();
    try (var engine = new EngineProcess(0);
        var client = engine.newClient()) {
      client.listTables();
      return (System.nanoTime() - start) / 1e6;
    }
  }
}
