package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** What a recording of JFR says of a process: its samples by part, and what held its threads. */
final class ProfileRecording {
  private static final String CPU_SAMPLE = "jdk.CPUTimeSample";
  private static final String SAMPLE = "jdk.ExecutionSample";

  /** How the threads of the compilers are named. */
  static final String C1 = "C1";

  static final String C2 = "C2";
  private static final String OTHER_THREAD = "";
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

  /** By the method that waits, with the class of a monitor. */
  private final Map<String, Duration> lockWaitsByMethod = new HashMap<>();

  private final DoubleSummaryStatistics loads = new DoubleSummaryStatistics();
  private long busyTimes;
  private long interpreted;

  /** The classes that were defined, by part. */
  private final Map<String, Long> classes = new HashMap<>();

  /** The sum of the loads of threads, by {@link #C1}, {@link #C2} or another thread. */
  private final Map<String, Double> threadLoads = new HashMap<>();

  private final Set<Long> processes = new HashSet<>();
  private long longestQueue;

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
      case CPU_SAMPLE -> {
        sampled(event, cpuSamples);
        interpreted += isInterpreted(event) ? 1 : 0;
      }
      case SAMPLE -> sampled(event, threadSamples);
      case "jdk.CPUTimeSamplesLost" -> lost += event.getLong("lostSamples");
      case "jdk.GarbageCollection" -> {
        pauses++;
        paused = paused.plus(event.getDuration("sumOfPauses"));
        var pause = event.getDuration("longestPause");
        longest = pause.compareTo(longest) > 0 ? pause : longest;
      }
      case PINNED -> pinned++;
      case "jdk.JVMInformation" -> processes.add(event.getLong("pid"));
      case "jdk.JavaMonitorEnter", "jdk.ThreadPark" -> {
        if (isWaitForLock(event)) {
          waitedForLock(event);
        }
      }
      case "jdk.CPULoad" -> {
        loads.accept(event.getFloat("machineTotal"));
        busyTimes += isBusy(event) ? 1 : 0;
      }
      case "jdk.ThreadCPULoad" ->
          threadLoads.merge(
              kind(event.getThread()),
              (double) event.getFloat("user") + event.getFloat("system"),
              Double::sum);
      case "jdk.CompilerQueueUtilization" -> {
        if (event.getString("compiler").equalsIgnoreCase(C2)) {
          longestQueue = Math.max(longestQueue, event.getLong("queueSize"));
        }
      }
      case "jdk.ClassDefine" ->
          classes.merge(parts.ofClass(event.getClass("definedClass").getName()), 1L, Long::sum);
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

  /** Returns whether a thread waited for a lock, of those events that show one which waits. */
  static boolean isWaitForLock(RecordedEvent event) {
    if (event.getEventType().getName().equals("jdk.JavaMonitorEnter")) {
      return true;
    }
    var parkedAt = event.getClass("parkedClass");
    return parkedAt != null && LOCK.matcher(parkedAt.getName()).matches();
  }

  /** Returns whether a load of the machine leaves no time for others. */
  static boolean isBusy(RecordedEvent load) {
    return load.getFloat("machineTotal") >= BUSY;
  }

  private static String kind(RecordedThread thread) {
    var name = thread == null ? null : thread.getOSName();
    return Stream.of(C1, C2)
        .filter(compiler -> name != null && name.startsWith(compiler + " Compiler"))
        .findFirst()
        .orElse(OTHER_THREAD);
  }

  private void waitedForLock(RecordedEvent wait) {
    var time = wait.getDuration();
    lockWaits++;
    longestLockWait = time.compareTo(longestLockWait) > 0 ? time : longestLockWait;
    lockWaitsByMethod.merge(ProfileParts.method(wait) + lockOf(wait), time, Duration::plus);
  }

  /** The class of a monitor. A parked thread has only that of its lock's queue. */
  private static String lockOf(RecordedEvent wait) {
    if (!wait.hasField("monitorClass") || wait.getClass("monitorClass") == null) {
      return "";
    }
    var name = wait.getClass("monitorClass").getName();
    return ", " + name.substring(name.lastIndexOf('.') + 1);
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

  private static boolean isInterpreted(RecordedEvent sample) {
    var stack = sample.getStackTrace();
    return stack != null
        && !stack.getFrames().isEmpty()
        && stack.getFrames().getFirst().getType().equals("Interpreted");
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

  /**
   * The time that all threads together waited for locks, by the method that waits and the class.
   */
  Map<String, Duration> lockWaitsByMethod() {
    return lockWaitsByMethod;
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
    return busyTimes / (double) Math.max(1, loads.getCount());
  }

  /** The share of the samples whose topmost method was not compiled. */
  double interpreted() {
    return interpreted / (double) Math.max(1, cpuSamples.values().stream().mapToLong(n -> n).sum());
  }

  boolean hasThreadLoads() {
    return !threadLoads.isEmpty();
  }

  /**
   * The share of a compiler of the processor time of all threads of Java and of the compilers. The
   * collector has no such thread.
   */
  double compiler(String compiler) {
    double all = threadLoads.values().stream().mapToDouble(load -> load).sum();
    return all == 0 ? 0 : threadLoads.getOrDefault(compiler, 0.0) / all;
  }

  /** The most methods that waited for the second compiler. */
  long longestQueue() {
    return longestQueue;
  }

  /** The number of processes that the file has recordings of, at least 1. */
  long processes() {
    return Math.max(1, processes.size());
  }

  /** The number of defined classes by part; empty where they were not recorded. */
  Map<String, Long> classes() {
    return classes;
  }

  long pinned() {
    return pinned;
  }

  /** For how long a virtual thread must hold its carrier to be counted. */
  String pinnedThreshold() {
    return threshold;
  }
}
