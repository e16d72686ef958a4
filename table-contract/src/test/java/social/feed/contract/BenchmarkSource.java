package social.feed.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import social.feed.testkit.GeneratedPage;

/**
 * A class of the benchmarks that needs no library. It starts from its source, as the scripts of the
 * benchmarks start it, because their module is not part of the build.
 */
record BenchmarkSource(String name) {
  static final Path BENCHMARKS = GeneratedPage.root().resolve("benchmarks");

  /**
   * What a run ended with.
   *
   * @param output of both streams
   */
  record Ended(int code, String output) {}

  /** Runs it in a folder until it ends. */
  Ended runIn(Path folder, String... arguments) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                BENCHMARKS
                    .resolve("src/main/java/social/feed/benchmarks")
                    .resolve(name + ".java")
                    .toString()));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    try (var output = process.getInputStream()) {
      var text = new String(output.readAllBytes(), UTF_8);
      return new Ended(process.waitFor(), text);
    }
  }
}
