package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** Describes where and of what a run was, without names of hosts or paths. */
final class Machine {
  private Machine() {}

  static String description() {
    return "%s, commit %s, %d processors (%s), Java %s"
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            System.getProperty("benchmark.commit", "unknown"),
            Runtime.getRuntime().availableProcessors(),
            model(),
            Runtime.version());
  }

  private static String model() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
