package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.streams.FunctionProcess;
import social.feed.streams.FunctionProcess.Launch;
import social.feed.streams.RuntimeApi;
import social.feed.streams.plan.Lane;

/** Starts a function in one of several ways and measures the time to its first response. */
final class FunctionStart {
  /** What a profile of a start has in addition. */
  private static final String RECORDED =
      "jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=1ms,jdk.ThreadCPULoad#period=100ms"
          + ",jdk.ClassDefine#enabled=true";

  private final Unpacked function;
  private final Way way;
  private final Path work;
  private final Map<String, String> settings;

  /** The way in which a function starts. */
  enum Way {
    /** As Lambda starts a zip: the runtime client's class loader loads its classes. */
    PLAIN,
    /** Its jars on the class path of the JVM, which is possible in a custom image only. */
    CLASS_PATH,
    /** On the class path with a class archive that an earlier run recorded. */
    APP_CDS,
    /** On the class path with the cache of JDK 25 that an earlier run recorded. */
    AOT_CACHE,
    /** As a zip with a snapshot: measured from the point where Lambda would resume. */
    SNAPSHOT;

    String title() {
      return switch (this) {
        case PLAIN -> "as a zip, plain";
        case CLASS_PATH -> "on the class path, plain";
        case APP_CDS -> "on the class path, AppCDS";
        case AOT_CACHE -> "on the class path, AOT cache";
        case SNAPSHOT -> "as a zip, after a snapshot";
      };
    }
  }

  FunctionStart(Unpacked function, Way way, Path work, Map<String, String> settings)
      throws IOException {
    this.function = function;
    this.way = way;
    this.work = Files.createDirectories(work);
    this.settings = new HashMap<>(settings);
    if (way == Way.SNAPSHOT) {
      this.settings.put("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start");
    }
  }

  /** Records the archive or cache that this way needs. */
  void rehearse(String event) throws IOException, InterruptedException {
    switch (way) {
      case APP_CDS -> record("-XX:ArchiveClassesAtExit=" + recording(), event);
      case AOT_CACHE -> record("-XX:AOTCacheOutput=" + recording(), event);
      case PLAIN, CLASS_PATH, SNAPSHOT -> {}
    }
  }

  /**
   * Starts the function and ends it after its first response.
   *
   * @return milliseconds from the start of the process to the response; after a snapshot, from the
   *     moment when the function was ready
   */
  double measure(String event) throws IOException, InterruptedException {
    try (var lambda = new RuntimeApi()) {
      long start = System.nanoTime();
      try (var _ = FunctionProcess.start(lambda, launch(recorded()))) {
        lambda.awaitReady();
        if (way == Way.SNAPSHOT) {
          start = System.nanoTime();
        }
        answer(lambda, event);
        return (System.nanoTime() - start) / 1e6;
      }
    }
  }

  /**
   * Records starts until the first response, one after the other in one file. A start takes longer
   * meanwhile, by the recorder's own.
   *
   * @param events one for each start
   */
  void profile(Path file, List<String> events) throws IOException, InterruptedException {
    Files.deleteIfExists(file);
    var part = work.resolve("part.jfr");
    var options = new ArrayList<>(recorded());
    options.add(
        "-XX:StartFlightRecording:filename=%s,settings=profile,dumponexit=true,%s"
            .formatted(part.toAbsolutePath(), RECORDED));
    for (var event : events) {
      try (var lambda = new RuntimeApi();
          var process = FunctionProcess.start(lambda, launch(options))) {
        answer(lambda, event);
        process.stop();
      }
      try (var whole =
          Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        Files.copy(part, whole);
      }
      Files.delete(part);
    }
  }

  private void record(String option, String event) throws IOException, InterruptedException {
    try (var lambda = new RuntimeApi();
        var process = FunctionProcess.start(lambda, launch(List.of(option)))) {
      answer(lambda, event);
      process.stop();
    }
    if (!Files.exists(recording())) {
      throw new IllegalStateException(Files.readString(FunctionProcess.log(work)));
    }
  }

  private void answer(RuntimeApi lambda, String event) throws InterruptedException, IOException {
    var answer = lambda.invoke(Lane.COUNTS.alias(), event);
    if (answer.failed() || !answer.body().contains("\"batchItemFailures\":[]")) {
      throw new IllegalStateException(
          answer.body() + "\n" + Files.readString(FunctionProcess.log(work)));
    }
  }

  private List<String> recorded() {
    return switch (way) {
      case APP_CDS -> List.of("-XX:SharedArchiveFile=" + recording());
      // AOTMode=on fails on an unusable cache, instead of measuring a plain start.
      case AOT_CACHE -> List.of("-XX:AOTCache=" + recording(), "-XX:AOTMode=on");
      case PLAIN, CLASS_PATH, SNAPSHOT -> List.of();
    };
  }

  private Path recording() {
    return work.resolve("recording");
  }

  private Launch launch(List<String> recording) {
    // Such as -Xlog:class+load, to see what a start does.
    var options = new ArrayList<>(recording);
    Optional.ofNullable(System.getProperty("function.flag")).ifPresent(options::add);
    var zip = way == Way.PLAIN || way == Way.SNAPSHOT;
    return new Launch(
        function.handler(),
        function.root(),
        work,
        zip ? List.of() : function.jars(),
        options,
        settings);
  }
}
