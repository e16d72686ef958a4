package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.User;

/** The profiles of a benchmark are one table, from a recording of this process. */
class BenchmarkSharesTest {
  private static final BenchmarkSource SHARES = new BenchmarkSource("ProfileShares");
  private static final BenchmarkSource SLOW = new BenchmarkSource("RequestPercentiles");
  private static final String REQUEST = "social.feed.benchmarks.Request";
  private static final String PAUSE = "jdk.GCPhasePause";
  private static final Duration WORK = Duration.ofMillis(500);

  private static final String COSTS =
      """
      Routes
      2026-01-02, commit 0123456789ab, 2 processors (one), Java 25

      Processor time a request, µs  platform  bare  ratio
      profile                            300   200   1.50  misses 1.2

      of it the compiler, µs  platform  bare  ratio
      profile                      100   150
      """;

  private static final String COSTS_OF_PROCESSES =
      """
      Pipeline
      2026-01-02, commit 0123456789ab, 2 processors (one), Java 25

      Processor time for each, µs  platform  bare
      fan-out                            80    43
      fan-out, engine                   159    91
      """;

  @TempDir Path folder;

  @Test
  void recordingsOfBothSides_areOneColumn_withTheCostsOfTheRoute() throws Exception {
    var recordings = Files.createDirectory(folder.resolve("recordings"));
    record(recordings.resolve("profile.platform.jfr"));
    Files.copy(recordings.resolve("profile.platform.jfr"), recordings.resolve("profile.bare.jfr"));
    Files.writeString(folder.resolve("routes.txt"), COSTS);

    var ended = SHARES.runFromSourceIn(folder, "--costs", "routes.txt", "recordings");

    assertThat(ended.code()).as(ended.output()).isZero();
    assertThat(Files.readString(folder.resolve("target/results/profiles-routes.txt")))
        .containsPattern("\\d{4}-\\d\\d-\\d\\d, commit 0123456789ab, \\d+ processors")
        .containsPattern("part +profile\n")
        .containsPattern("services and stores, mapping of items +[1-9][\\d.]* / [1-9][\\d.]*\n")
        .containsPattern("sum +200\\.0 / 50\\.0\n")
        .containsPattern("pauses of the collector +[1-9]\\d* / [1-9]\\d*\n")
        .containsPattern("pinned virtual threads +0 / 0\n")
        .containsPattern("load of all processors on average, % +– / –\n");
  }

  @Test
  void recordingsOfTwoProcesses_areTwoColumns_withTheCostsOfEach() throws Exception {
    var recordings = Files.createDirectory(folder.resolve("recordings"));
    var first = recordings.resolve("fan-out.platform.jfr");
    record(first);
    Files.copy(first, recordings.resolve("fan-out, engine.platform.jfr"));
    Files.writeString(folder.resolve("pipeline.txt"), COSTS_OF_PROCESSES);

    var ended = SHARES.runIn(folder, "--costs", "pipeline.txt", "recordings");

    assertThat(ended.code()).as(ended.output()).isZero();
    assertThat(Files.readString(folder.resolve("target/results/profiles-pipeline.txt")))
        .startsWith("Where the processor time goes: Pipeline\n")
        .containsPattern("part +fan-out, engine +fan-out\n")
        .containsPattern("sum +159\\.0 / – +80\\.0 / –\n");
  }

  @Test
  void recordingOfAStart_hasTheClassesByPart_inAPageOfItsOwn() throws Exception {
    record(folder.resolve("plain.platform.jfr"));
    Files.writeString(folder.resolve("start-up.txt"), COSTS);

    var ended = SHARES.runIn(folder, "--costs", "start-up.txt", "--as", "x", "plain.platform.jfr");

    assertThat(ended.code()).as(ended.output()).isZero();
    assertThat(Files.readString(folder.resolve("target/results/profiles-start-up-x.txt")))
        .startsWith("Where the processor time goes: Routes, x\n")
        .containsPattern("sum +[1-9][\\d,]* / –\n")
        .containsPattern("compiler C2, % of the time of all threads +[–\\d.]+ / –\n")
        .containsPattern("samples of the interpreter, % +\\d+\\.\\d / –\n");
  }

  @Test
  void pauseOfOneProcess_duringTheSlowestRequest_isShownForIt() throws Exception {
    var recordings = Files.createDirectory(folder.resolve("recordings"));
    for (var side : List.of("platform", "bare")) {
      var sent = recordings.resolve("post." + side + ".jfr");
      var served = recordings.resolve("post, server." + side + ".jfr");
      recordRequests(sent, served, side.equals("bare") ? Duration.ofHours(1) : Duration.ZERO);
      try (var events = new RecordingFile(served)) {
        events.write(recordings.resolve("post, engine." + side + ".jfr"), _ -> false);
      }
    }
    Files.writeString(folder.resolve("routes.txt"), COSTS);

    var ended = SLOW.runFromSourceIn(folder, "routes.txt", "recordings");

    assertThat(ended.code()).as(ended.output()).isZero();
    assertThat(Files.readString(folder.resolve("target/results/profiles-routes-percentiles.txt")))
        .containsPattern("requests +100 / 100\n")
        .containsPattern("separate times of the slowest +1 / 1\n")
        .containsPattern("time of the slowest before they were sent, % +0\\.0 / 100\\.0\n")
        .containsPattern("the collector of the server paused it +[1-9][\\d.]* / 0\\.0\n")
        .containsPattern("the collector of the engine paused it +0\\.0 / 0\\.0\n");
  }

  /** Of a hundred requests, the collector works during one. */
  private void recordRequests(Path sent, Path served, Duration late) throws IOException {
    var both = Files.createTempFile(folder, "both", ".jfr");
    try (var recording = new Recording()) {
      recording.enable(REQUEST);
      recording.enable(PAUSE).withoutThreshold();
      recording.start();
      for (int i = 0; i < 100; i++) {
        var request = new Request();
        request.begin();
        if (i == 50) {
          System.gc();
          request.late = late.toNanos();
        }
        request.commit();
      }
      recording.dump(both);
    }
    try (var events = new RecordingFile(both)) {
      events.write(sent, event -> event.getEventType().getName().equals(REQUEST));
    }
    try (var events = new RecordingFile(both)) {
      events.write(served, event -> event.getEventType().getName().equals(PAUSE));
    }
  }

  /** As the benchmark records it. */
  @Name(REQUEST)
  private static final class Request extends Event {
    long late;
  }

  @Test
  void recordingWithoutSamples_isRefused() throws Exception {
    try (var recording = new Recording()) {
      recording.enable("jdk.GarbageCollection");
      recording.start();
      recording.dump(folder.resolve("empty.jfr"));
    }

    var ended = SHARES.runIn(folder, "empty.jfr");

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output()).contains("empty.jfr has no samples");
  }

  private static void record(Path file) throws IOException {
    try (var recording = new Recording()) {
      // The first one is of Linux only.
      recording.enable("jdk.CPUTimeSample").with("throttle", "1ms");
      recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(1));
      recording.enable("jdk.GarbageCollection").withoutThreshold();
      recording.enable("jdk.CPUInformation");
      recording.enable("jdk.ClassDefine");
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold();
      recording.start();
      encode();
      System.gc();
      defineClass();
      recording.dump(file);
    }
  }

  /** A proxy has a class of its own in each loader. */
  private static void defineClass() {
    var loader = new ClassLoader() {};
    Proxy.newProxyInstance(loader, new Class<?>[] {Runnable.class}, (_, _, _) -> null);
  }

  /** Uses the processor, however busy the machine is. */
  private static void encode() {
    var threads = ManagementFactory.getThreadMXBean();
    var user = User.registered("user", "user", "A name", null, Instant.EPOCH);
    long end = threads.getCurrentThreadCpuTime() + WORK.toNanos();
    int attributes = 0;
    while (threads.getCurrentThreadCpuTime() < end) {
      for (int i = 0; i < 100; i++) {
        attributes += RowCodec.encode(user).size();
      }
    }
    assertThat(attributes).isPositive();
  }
}
