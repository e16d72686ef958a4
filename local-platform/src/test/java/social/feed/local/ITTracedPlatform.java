package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;

/** A platform with the variables that turn traces on: the log has a request and its effects. */
@LongRunning
class ITTracedPlatform {
  private static final Pattern ROUTE =
      Pattern.compile("Span POST /v1/posts of feed-api: trace ([0-9a-f]{32})");

  @Test
  void post_andItsEffects_areInTheLog(@TempDir Path data) throws Exception {
    var lines = new CopyOnWriteArrayList<String>();
    var process = start(data);
    try {
      var output = process.inputReader(StandardCharsets.UTF_8);
      Thread.ofVirtual().start(() -> output.lines().forEach(lines::add));
      Polling.until(() -> lines.stream().anyMatch(line -> line.startsWith("http://")));
      var api = lines.stream().filter(it -> it.startsWith("http://")).map(URI::create).findFirst();
      Caller.registered(api.orElseThrow(), "yvonne").writes("hello");
      Polling.until(() -> trace(lines).isPresent());
      var trace = trace(lines).orElseThrow();

      for (var span : List.of("effect FanOut of feed-multiplexer", "counts of feed-multiplexer")) {
        var expected = "Span " + span + ": trace " + trace;
        Polling.until(() -> lines.stream().anyMatch(line -> line.contains(expected)));
      }
      assertThat(lines).noneMatch(line -> line.contains("Span") && line.contains("yvonne"));
    } finally {
      process.toHandle().destroyForcibly();
      process.waitFor();
    }
  }

  private static Optional<String> trace(List<String> lines) {
    return lines.stream()
        .map(ROUTE::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .findFirst();
  }

  private static Process start(Path data) throws IOException {
    var builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    PlatformProcess.class.getName(),
                    data.toString()))
            .redirectErrorStream(true);
    builder.environment().put("FEED_TRACING_EXPORTER", "log");
    builder.environment().put("FEED_TRACING_RATIO", "1");
    return builder.start();
  }
}
