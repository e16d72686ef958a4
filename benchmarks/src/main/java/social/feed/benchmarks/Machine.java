package social.feed.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  /** Returns the processor time of this process so far, with its compiler and collector. */
  static Duration processorTime() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return Duration.ofNanos(system.getProcessCpuTime());
  }

  /** Returns how long the compiler of this process has worked so far. */
  static Duration compilerTime() {
    return Duration.ofMillis(ManagementFactory.getCompilationMXBean().getTotalCompilationTime());
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
