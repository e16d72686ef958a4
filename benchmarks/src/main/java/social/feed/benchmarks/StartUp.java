package social.feed.benchmarks;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import social.feed.benchmarks.FunctionStart.Way;
import social.feed.benchmarks.Svg.Ratio;
import social.feed.engine.LocalQueue;
import social.feed.testkit.TestTable;

/**
 * Measures how long function and API take from the start of their process to their first response.
 * Each round also measures the candidate to compare with. Arguments: rounds, the folder of the
 * image, the jar of this class, a working folder, the launcher of the local platform, and a folder
 * for profiles of the function, if wanted.
 */
final class StartUp {
  private static final double GOAL = Goal.FUNCTION.limit();
  private static final double SNAPSHOT_GOAL = Goal.SNAPSHOT.limit();
  private static final double PLATFORM_GOAL_MILLIS = 1e3 * Goal.LOCAL_PLATFORM.limit();

  /** A start has some hundred samples. */
  private static final int RECORDED = 10;

  private final int rounds;
  private final Path work;
  private final @Nullable Path record;

  private StartUp(int rounds, Path work, @Nullable Path record) {
    this.rounds = rounds;
    this.work = work;
    this.record = record;
  }

  public static void main(String[] arguments) throws Exception {
    var startUp =
        new StartUp(
            Integer.parseInt(arguments[0]),
            Path.of(arguments[3]),
            arguments.length > 5 ? SideProfiles.folder(arguments[5]) : null);
    var report =
        new BenchmarkReport("start-up", "From the start of a process to its first response");
    report.paragraph(
        "%d rounds: median (quartiles) in milliseconds, median of the ratios of each round."
            .formatted(startUp.rounds));
    startUp.ofFunction(Path.of(arguments[2]), report);
    startUp.ofImage(Path.of(arguments[1]), report);
    startUp.ofPlatform(Path.of(arguments[4]), report);
    report.write();
    // The engine of the tables lives as long as its process.
    System.exit(0);
  }

  private void ofFunction(Path code, BenchmarkReport report) throws Exception {
    var multiplexer = Unpacked.multiplexer(Files.createDirectories(work.resolve("multiplexer")));
    var bare = Unpacked.bare(Files.createDirectories(work.resolve("bare")), code);
    var rows = new ArrayList<List<String>>();
    var ratios = new ArrayList<Ratio>();
    try (var table = TestTable.start();
        var queue = LocalQueue.start()) {
      var like = CountedLike.in(table);
      var settings = settings(table, queue);
      for (var way : Way.values()) {
        var one = new FunctionStart(multiplexer, way, work.resolve(way + "-multiplexer"), settings);
        var other = new FunctionStart(bare, way, work.resolve(way + "-bare"), settings);
        one.rehearse(like.next());
        other.rehearse(like.next());
        System.err.println(way.title());
        var sides =
            Samples.Sides.inTurns(
                rounds, () -> one.measure(like.next()), () -> other.measure(like.next()));
        if (record != null && way == Way.PLAIN) {
          profile(way, one, SideProfiles.PLATFORM, like);
          profile(way, other, SideProfiles.BARE, like);
        }
        double goal = way == Way.SNAPSHOT ? SNAPSHOT_GOAL : GOAL;
        var ratio = new Ratio(way.title(), sides.one().ratioTo(sides.other()), goal, true);
        ratios.add(ratio);
        var row = new ArrayList<>(spread(way.title(), sides));
        row.add(ratio.isReached() ? "" : "misses %.1f".formatted(goal));
        rows.add(row);
      }
    }
    report.table(
        List.of("Function, to its first answer", "multiplexer", "bare handler", "ratio", ""), rows);
    report.paragraph("The multiplexer by the bare handler. A bar is the goal.");
    report.plot("ratios", Svg.ratios("Time to the first answer", ratios));
  }

  private void profile(Way way, FunctionStart start, String side, CountedLike like)
      throws Exception {
    var folder = Files.createDirectories(requireNonNull(record));
    var events = new ArrayList<String>();
    for (int i = 0; i < RECORDED; i++) {
      events.add(like.next());
    }
    start.profile(folder.resolve("%s.%s.jfr".formatted(way.title(), side)), events);
  }

  private static Map<String, String> settings(TestTable table, LocalQueue queue) {
    var deadLetters = queue.createQueue("dead-letters").toString();
    return Map.of(
        "AWS_ENDPOINT_URL_DYNAMODB", table.endpoint().toString(),
        "AWS_ENDPOINT_URL_SQS", queue.endpoint().toString(),
        "BARE_TABLE", table.table().name(),
        "FEED_MULTIPLEXER_TABLE", table.table().name(),
        "FEED_MULTIPLEXER_DEAD_LETTER_QUEUE_URL", deadLetters,
        "FEED_MULTIPLEXER_EVENT_QUEUE_URL", deadLetters);
  }

  private void ofImage(Path image, BenchmarkReport report) throws Exception {
    var settings =
        Map.of(
            "FEED_AUTH_AUDIENCE", "benchmark",
            "FEED_AUTH_ISSUER", "https://benchmark.invalid",
            "FEED_AUTH_JWKS_URL", "https://benchmark.invalid",
            "FEED_CURSOR_SECRET", "benchmark-benchmark-benchmark-benchmark",
            "FEED_DYNAMODB_REGION", "us-east-1");
    var cached = new ImageFolder(image, work.resolve("image-cached"), settings);
    var plain = new ImageFolder(image, work.resolve("image-plain"), settings);
    cached.rehearse();
    report.table(
        List.of("API, until it is healthy", "AOT cache", "plain", "ratio"),
        List.of(
            spread(
                "from the folder of its image",
                Samples.Sides.inTurns(
                    rounds, () -> untilHealthy(cached), () -> untilHealthy(plain)))));
  }

  /**
   * The first start, which does not count, builds the checkout where that is necessary. The folder
   * of the last row has what the starts before have left, which were killed.
   */
  private void ofPlatform(Path launcher, BenchmarkReport report) throws Exception {
    var platform = new PlatformStart(launcher);
    var kept = Files.createTempDirectory(work, "kept");
    report.table(
        List.of("Local platform, until it is healthy", "platform", "DynamoDB Local", "ratio", ""),
        List.of(
            ofPlatform("./feed up --in-memory", platform::inMemory),
            ofPlatform(
                "./feed up, new data on disk",
                () -> platform.onDisk(Files.createTempDirectory(work, "new"))),
            ofPlatform("./feed up, its data on disk again", () -> platform.onDisk(kept))));
  }

  private List<String> ofPlatform(String title, Callable<Double> start) throws Exception {
    System.err.println(title);
    var sides = Samples.Sides.inTurns(rounds, start, PlatformStart::ofEngine);
    var row = new ArrayList<>(spread(title, sides));
    row.add(
        sides.one().median() <= PLATFORM_GOAL_MILLIS
            ? ""
            : "misses %,.0f ms".formatted(PLATFORM_GOAL_MILLIS));
    return row;
  }

  /** Returns the milliseconds from the start of the process to the first healthy response. */
  private static double untilHealthy(ImageFolder image) throws Exception {
    try (var api = image.start(Map.of())) {
      return api.startMillis();
    }
  }

  private static List<String> spread(String title, Samples.Sides sides) {
    return List.of(title, sides.one().spread(), sides.other().spread(), sides.ratio());
  }
}
