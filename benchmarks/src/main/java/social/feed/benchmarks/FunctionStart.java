package social.feed.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import social.feed.streams.FunctionProcess;
import social.feed.streams.FunctionProcess.Launch;
import social.feed.streams.RuntimeApi;

/** Starts a function in one of several ways, and says when it has answered its first event. */
final class FunctionStart {
  private final Unpacked function;
  private final Way way;
  private final Path work;
  private final Map<String, String> settings;

  /** How a function is started. */
  enum Way {
    /** As Lambda starts a zip: the client's loader finds its classes. */
    PLAIN,
    /** Its jars on the class path of the JVM, which only an image of one's own can have. */
    CLASS_PATH,
    /** The same with an archive of classes, recorded in a run before. */
    APP_CDS,
    /** The same with the cache of JDK 25, recorded in a run before. */
    AOT_CACHE,
    /** As a zip with a snapshot: measured from where Lambda would go on from the snapshot. */
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

  /** Records what the way needs. */
  void rehearse(String event) throws IOException, InterruptedException {
    switch (way) {
      case APP_CDS -> record("-XX:ArchiveClassesAtExit=" + recording(), event);
      case AOT_CACHE -> record("-XX:AOTCacheOutput=" + recording(), event);
      case PLAIN, CLASS_PATH, SNAPSHOT -> {}
    }
  }

  /**
   * Starts it, and ends it after its first answer.
   *
   * @return milliseconds from the start of the process to the answer; after a snapshot, from when
   *     the function was ready to the answer
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
    var answer = lambda.invoke(event);
    if (answer.failed() || !answer.body().contains("\"batchItemFailures\":[]")) {
      throw new IllegalStateException(
          answer.body() + "\n" + Files.readString(FunctionProcess.log(work)));
    }
  }

  private List<String> recorded() {
    return switch (way) {
      case APP_CDS -> List.of("-XX:SharedArchiveFile=" + recording());
      // A cache that does not fit would be left aside, and the plain start measured.
      case AOT_CACHE -> List.of("-XX:AOTCache=" + recording(), "-XX:AOTMode=on");
      case PLAIN, CLASS_PATH, SNAPSHOT -> List.of();
    };
  }

  private Path recording() {
    return work.resolve("recording");
  }

  private Launch launch(List<String> options) {
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
