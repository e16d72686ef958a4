package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What a recording of JFR says of a process: its samples by part, and what held its threads. */
final class ProfileRecording {
  private static final String CPU_SAMPLE = "jdk.CPUTimeSample";
  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final String PINNED = "jdk.VirtualThreadPinned";

  /** The class that a thread parks at while it waits for a lock. An idle one has another. */
  private static final Pattern LOCK = Pattern.compile("java[.]util[.].*Lock[$].*Sync");

  /** The share of the processors that leaves no time for others. */
  private static final double BUSY = 0.95;

  private static final Pattern BRAND = Pattern.compile("Brand: ([^,\\n]+)");

  private final Map<String, Long> cpuSamples = new HashMap<>();

  /** Without those of the processor time, which a system may not have. */
  private final Map<String, Long> threadSamples = new HashMap<>();

  private final ProfileParts parts = new ProfileParts();
  private Instant first = Instant.MAX;
  private Instant last = Instant.MIN;
  private String machine = "unknown";
  private String threshold = "?";
  private Duration paused = Duration.ZERO;
  private Duration longest = Duration.ZERO;
  private long pauses;
  private long pinned;
  private long lost;
  private Duration longestLockWait = Duration.ZERO;
  private long lockWaits;
  private final DoubleSummaryStatistics loads = new DoubleSummaryStatistics();
  private long busySeconds;

  private ProfileRecording() {}

  /** Reads a recording. Fails if it has no samples. */
  static ProfileRecording of(Path file) throws IOException {
    var profile = new ProfileRecording();
    try (var recording = new RecordingFile(file)) {
      long pinnedType =
          recording.readEventTypes().stream()
              .filter(type -> type.getName().equals(PINNED))
              .findFirst()
              .map(type -> type.getId())
              .orElse(-1L);
      while (recording.hasMoreEvents()) {
        profile.add(recording.readEvent(), pinnedType);
      }
    }
    if (profile.samples() == 0) {
      throw new IllegalStateException(file + " has no samples");
    }
    return profile;
  }

  private void add(RecordedEvent event, long pinnedType) {
    switch (event.getEventType().getName()) {
      case CPU_SAMPLE -> sampled(event, cpuSamples);
      case SAMPLE -> sampled(event, threadSamples);
      case "jdk.CPUTimeSamplesLost" -> lost += event.getLong("lostSamples");
      case "jdk.GarbageCollection" -> {
        pauses++;
        paused = paused.plus(event.getDuration("sumOfPauses"));
        var pause = event.getDuration("longestPause");
        longest = pause.compareTo(longest) > 0 ? pause : longest;
      }
      case PINNED -> pinned++;
      case "jdk.JavaMonitorEnter" -> waitedForLock(event.getDuration());
      case "jdk.ThreadPark" -> {
        var parkedAt = event.getClass("parkedClass");
        if (parkedAt != null && LOCK.matcher(parkedAt.getName()).matches()) {
          waitedForLock(event.getDuration());
        }
      }
      case "jdk.CPULoad" -> {
        double load = event.getFloat("machineTotal");
        loads.accept(load);
        busySeconds += load >= BUSY ? 1 : 0;
      }
      case "jdk.ActiveSetting" -> {
        if (event.getLong("id") == pinnedType && event.getString("name").equals("threshold")) {
          threshold = event.getString("value");
        }
      }
      case "jdk.CPUInformation" ->
          machine =
              event.getInt("hwThreads")
                  + " processors ("
                  + brand(String.valueOf(event.getString("description")))
                  + ")";
      default -> {}
    }
  }

  private void waitedForLock(Duration time) {
    lockWaits++;
    longestLockWait = time.compareTo(longestLockWait) > 0 ? time : longestLockWait;
  }

  private static String brand(String description) {
    var brand = BRAND.matcher(description);
    return brand.find() ? brand.group(1).strip() : "unknown";
  }

  private void sampled(RecordedEvent event, Map<String, Long> samples) {
    samples.merge(parts.of(event), 1L, Long::sum);
    var at = event.getStartTime();
    first = at.isBefore(first) ? at : first;
    last = at.isAfter(last) ? at : last;
  }

  /** The number of samples by part. */
  Map<String, Long> parts() {
    return cpuSamples.isEmpty() ? threadSamples : cpuSamples;
  }

  double share(String part) {
    return parts().getOrDefault(part, 0L) / (double) Math.max(1, samples());
  }

  long samples() {
    return parts().values().stream().mapToLong(Long::longValue).sum();
  }

  long lost() {
    return lost;
  }

  /** The time from the first sample to the last one, at least a millisecond. */
  double seconds() {
    return last.isAfter(first) ? Math.max(1, Duration.between(first, last).toMillis()) / 1e3 : 1e-3;
  }

  String date() {
    return LocalDate.ofInstant(last, ZoneOffset.UTC).toString();
  }

  String machine() {
    return machine;
  }

  long pauses() {
    return pauses;
  }

  double pausedMillis() {
    return paused.toNanos() / 1e6;
  }

  double longestMillis() {
    return longest.toNanos() / 1e6;
  }

  /** How often a platform thread waited for a lock, as long as the settings say at least. */
  long lockWaits() {
    return lockWaits;
  }

  double longestLockWaitMillis() {
    return longestLockWait.toNanos() / 1e6;
  }

  boolean hasLoad() {
    return loads.getCount() > 0;
  }

  /** The load of all processors by all processes, from 0 to 1, on average. */
  double load() {
    return loads.getAverage();
  }

  /** The share of the time in which the processors had no time left. */
  double busy() {
    return busySeconds / (double) Math.max(1, loads.getCount());
  }

  long pinned() {
    return pinned;
  }

  /** For how long a virtual thread must hold its carrier to be counted. */
  String pinnedThreshold() {
    return threshold;
  }
}
