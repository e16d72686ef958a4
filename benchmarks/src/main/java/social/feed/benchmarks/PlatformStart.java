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
    var command = new ArrayList<>(List.of(launcher.toString(), "up"));
    command.addAll(List.of(storage));
    command.addAll(List.of("--port", "0", "--dynamodb-port", "0", "--queue-port", "0"));
    long start = System.nanoTime();
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var http = HttpClient.newHttpClient();
        var lines = process.inputReader()) {
      var api = address(lines.lines().iterator());
      while (!isHealthy(http, api.resolve("/health"))) {
        LockSupport.parkNanos(BETWEEN_NANOS);
      }
      return (System.nanoTime() - start) / 1e6;
    } finally {
      process.destroyForcibly().waitFor();
    }
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
