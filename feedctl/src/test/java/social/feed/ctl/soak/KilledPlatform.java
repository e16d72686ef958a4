package social.feed.ctl.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import social.feed.ctl.UpProcess;

/** Runs the platform in its own process, which is killed and restarted on the same data. */
final class KilledPlatform implements AutoCloseable {
  private final Path data;
  private @Nullable UpProcess process;
  private volatile URI api = URI.create("http://127.0.0.1:1");
  private volatile URI dynamodb = api;

  private KilledPlatform(Path data) {
    this.data = data;
  }

  static KilledPlatform start(Path data) {
    var platform = new KilledPlatform(data);
    platform.start();
    return platform;
  }

  /** Returns the URL of the API, which changes with each start. */
  URI api() {
    return api;
  }

  URI dynamodb() {
    return dynamodb;
  }

  /** Kills the process, as {@code kill -9} does, and starts it again. */
  void killAndRestart() {
    kill();
    start();
  }

  private void start() {
    try {
      var started = UpProcess.start(data, Map.of(), "--data", data.resolve("data").toString());
      process = started;
      var banner = started.printedUntil("Ctrl-C");
      dynamodb = address("DynamoDB", banner);
      api = address("API", banner);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void kill() {
    var running = process;
    if (running != null) {
      try {
        running.signal("KILL");
        running.exitCode();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted", e);
      }
    }
  }

  private static URI address(String what, String banner) {
    var matcher = Pattern.compile(what + " +(\\S+)").matcher(banner);
    if (!matcher.find()) {
      throw new IllegalStateException("The platform did not start: " + banner);
    }
    return URI.create(matcher.group(1));
  }

  @Override
  public void close() {
    kill();
  }
}
