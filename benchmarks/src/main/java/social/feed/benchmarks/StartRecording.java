package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Recordings of several starts in one file. A start takes longer meanwhile, by the recorder's own.
 */
final class StartRecording {
  /** A start has some hundred samples. */
  static final int STARTS = 10;

  /** What a profile of a start has in addition. */
  private static final String EVENTS =
      "jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=1ms,jdk.ThreadCPULoad#period=100ms"
          + ",jdk.ClassDefine#enabled=true";

  private final Path file;
  private final Path part;

  /**
   * @param file gets the recordings, one after the other
   * @param work a folder for the one that is written
   */
  StartRecording(Path file, Path work) throws IOException {
    this.file = file;
    this.part = work.resolve("part.jfr").toAbsolutePath();
    Files.deleteIfExists(file);
  }

  /** Returns the option of the JVM that is started. */
  String option() {
    return "-XX:StartFlightRecording:filename=%s,settings=profile,dumponexit=true,%s"
        .formatted(part, EVENTS);
  }

  /** Adds the recording of a process that has ended. */
  void add() throws IOException {
    try (var whole =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      Files.copy(part, whole);
    }
    Files.delete(part);
  }
}
