package social.feed.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import javax.management.MBeanServerConnection;
import jdk.management.jfr.FlightRecorderMXBean;

/** Records profiles of a JVM, this one or another, by its beans. */
final class ProfileRecorder {
  private final FlightRecorderMXBean recorder;

  ProfileRecorder(MBeanServerConnection beans) throws IOException {
    this.recorder =
        ManagementFactory.newPlatformMXBeanProxy(
            beans, FlightRecorderMXBean.MXBEAN_NAME, FlightRecorderMXBean.class);
  }

  /** Starts a recording and returns its id. */
  long start() {
    long recording = recorder.newRecording();
    recorder.setPredefinedConfiguration(recording, "profile");
    var settings = new HashMap<>(recorder.getRecordingSettings(recording));
    settings.put("jdk.CPUTimeSample#enabled", "true");
    settings.put("jdk.CPUTimeSample#throttle", "1ms");
    settings.put("jdk.VirtualThreadPinned#threshold", "0 ms");
    settings.put("jdk.CPULoad#period", "100 ms");
    settings.put("jdk.ThreadCPULoad#period", "1 s");
    settings.put("jdk.CompilerQueueUtilization#period", "1 s");
    settings.put("jdk.Compilation#threshold", "1 ms");
    recorder.setRecordingSettings(recording, settings);
    recorder.startRecording(recording);
    return recording;
  }

  /**
   * Stops a recording and appends it to a file. A file may have several, one after the other, as
   * {@code jfr assemble} makes it.
   */
  void stop(long recording, Path file) throws IOException {
    recorder.stopRecording(recording);
    var part = Files.createTempFile("part", ".jfr");
    try {
      recorder.copyTo(recording, part.toAbsolutePath().toString());
      try (var whole =
          Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        Files.copy(part, whole);
      }
    } finally {
      Files.delete(part);
      recorder.closeRecording(recording);
    }
  }
}
