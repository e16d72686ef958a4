package social.feed.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Profiles of what a run compares: a file for each measurement, side and process, as {@code
 * benchmarks/shares} reads them. Without a folder it records nothing. The recorded work is not the
 * measured one, which a recording would slow down.
 */
final class SideProfiles {
  static final String PLATFORM = "platform";
  static final String BARE = "bare";

  /** Some thousand samples on two processors. */
  static final Duration RECORDED = Duration.ofSeconds(15);

  private static final String FOLDER_OPTION = "--record";

  private final @Nullable Path folder;

  /** By what the name of their files has behind that of the measurement. */
  private final Map<String, ProfileRecorder> processes = new LinkedHashMap<>();

  /** What is recorded now. */
  private @Nullable Recorded recorded;

  /**
   * The recordings of a side.
   *
   * @param measurement as the row of the results is named
   */
  private static final class Recorded {
    private final String measurement;
    private final String side;
    private long nanos;

    private Recorded(String measurement, String side) {
      this.measurement = measurement;
      this.side = side;
    }

    private Path file(Path folder, String process) {
      return folder.resolve(measurement + process + (side.isEmpty() ? "" : "." + side) + ".jfr");
    }
  }

  /**
   * @param folder null to record nothing
   */
  SideProfiles(@Nullable Path folder) throws IOException {
    this.folder = folder;
    if (folder != null) {
      Files.createDirectories(folder);
      processes.put("", new ProfileRecorder(ManagementFactory.getPlatformMBeanServer()));
    }
  }

  /** Takes {@code --record FOLDER} from the arguments of a run. */
  static SideProfiles takenFrom(List<String> arguments) throws IOException {
    int option = arguments.indexOf(FOLDER_OPTION);
    if (option < 0) {
      return new SideProfiles(null);
    }
    var folder = folder(arguments.get(option + 1));
    arguments.subList(option, option + 2).clear();
    return new SideProfiles(folder);
  }

  /** Returns a folder that the caller of the script names. */
  static Path folder(String argument) {
    return Path.of(System.getProperty("benchmark.from", "")).resolve(argument);
  }

  /**
   * Records another process, too.
   *
   * @param name behind that of each measurement, such as {@code ", engine"}
   */
  void alsoOf(String name, AttachedJvm process) throws IOException {
    if (folder != null) {
      processes.put(name, new ProfileRecorder(process.beans()));
    }
  }

  /**
   * Does the work of a side until enough of it was recorded: what passes through {@link #during}.
   *
   * @param measurement as the row of the results is named
   * @param side {@link #PLATFORM} or {@link #BARE}; empty for a measurement without these two
   */
  void record(String measurement, String side, Callable<?> work) throws Exception {
    if (folder == null) {
      return;
    }
    System.err.printf("profile of %s %s%n", measurement, side);
    var now = new Recorded(measurement, side);
    for (var process : processes.keySet()) {
      Files.deleteIfExists(now.file(folder, process));
    }
    recorded = now;
    try {
      while (now.nanos < RECORDED.toNanos()) {
        var _ = work.call();
      }
    } finally {
      recorded = null;
    }
  }

  /** Returns the result of a part of the work, which is recorded if its side is. */
  <T> T during(Supplier<T> part) {
    var now = recorded;
    var to = folder;
    if (now == null || to == null) {
      return part.get();
    }
    var started = new ArrayList<Long>();
    processes.values().forEach(process -> started.add(process.start()));
    long start = System.nanoTime();
    var result = part.get();
    now.nanos += System.nanoTime() - start;
    var ids = started.iterator();
    processes.forEach(
        (name, process) -> {
          try {
            process.stop(ids.next(), now.file(to, name));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return result;
  }
}
