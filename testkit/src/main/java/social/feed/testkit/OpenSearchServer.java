package social.feed.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server of OpenSearch in a process of its own, which ends with this one. */
public final class OpenSearchServer implements AutoCloseable {
  private static final Path NODE = Path.of("..", "opensearch-node");
  private static final long LAST_SECONDS = 10;

  private final Process process;
  private final int port;

  private OpenSearchServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts a server and returns when it answers, after some ten seconds. */
  public static OpenSearchServer start(Path folder) {
    return ServerPort.start(port -> start(folder, port));
  }

  private static OpenSearchServer start(Path folder, int port) {
    try {
      var output = Files.createTempFile(folder, "opensearch", ".log");
      var process =
          new ProcessBuilder(command(folder, port)).redirectError(output.toFile()).start();
      var reader =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("The server answers")) {
          return new OpenSearchServer(process, port);
        }
      }
      process.destroyForcibly().onExit().join();
      throw new IllegalStateException(Files.readString(output));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> command(Path folder, int port) throws IOException {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        Files.readString(NODE.resolve("target/classpath")).strip(),
        NODE.resolve("SearchNode.java").toString(),
        folder.resolve("node").toString(),
        Integer.toString(port));
  }

  /** Returns the address. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Ends the server. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(LAST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().onExit().join();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
