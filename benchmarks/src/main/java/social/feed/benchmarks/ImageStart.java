package social.feed.benchmarks;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Starts the API from the folder of its image and measures the time until it is healthy. */
final class ImageStart {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN = Duration.ofMillis(2);

  private final Path folder;
  private final Map<String, String> settings;

  /**
   * @param image the folder of the image
   * @param folder receives a copy of it
   * @param settings environment variables of the API
   */
  ImageStart(Path image, Path folder, Map<String, String> settings) throws IOException {
    this.folder = folder;
    this.settings = settings;
    try (var files = Files.walk(image)) {
      for (var file : files.toList()) {
        var copy = folder.resolve(image.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  /** Records a start, as the image build does. */
  void rehearse() throws IOException, InterruptedException {
    var port = freePort();
    var log = folder.resolve("rehearsal.log").toFile();
    if (process("rehearse", port).redirectOutput(log).start().waitFor() != 0) {
      throw new IllegalStateException(Files.readString(log.toPath()));
    }
  }

  /** Returns the milliseconds from the start of the process to the first healthy response. */
  double measure() throws IOException, InterruptedException {
    var port = freePort();
    long start = System.nanoTime();
    var api = process("start", port).redirectOutput(folder.resolve("api.log").toFile()).start();
    try (var client = HttpClient.newHttpClient()) {
      while (!healthy(client, port)) {
        if (!api.isAlive() || System.nanoTime() - start > PATIENCE.toNanos()) {
          throw new IllegalStateException(Files.readString(folder.resolve("api.log")));
        }
        LockSupport.parkNanos(BETWEEN.toNanos());
      }
      return (System.nanoTime() - start) / 1e6;
    } finally {
      api.destroyForcibly().waitFor();
    }
  }

  private static boolean healthy(HttpClient client, int port) throws InterruptedException {
    var health = URI.create("http://127.0.0.1:" + port + "/health/liveness");
    try {
      return client
              .send(HttpRequest.newBuilder(health).build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private ProcessBuilder process(String script, int port) {
    var builder = new ProcessBuilder(List.of(folder.resolve(script).toString()));
    builder.environment().putAll(settings);
    builder.environment().put("MICRONAUT_SERVER_PORT", Integer.toString(port));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder.redirectErrorStream(true);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
