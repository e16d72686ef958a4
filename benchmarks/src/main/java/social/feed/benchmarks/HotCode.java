package social.feed.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import social.feed.streams.change.Change;
import social.feed.streams.effect.Effect;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What runs for each item of a page or each record of a stream, measured by JMH. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotCode {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  private final Post post = DeliveryWorld.post("author", AT);
  private final FeedEntry entry = FeedEntry.of(post.ref(), "reader");
  private final Map<String, AttributeValue> postItem = RowCodec.encode(post);
  private final Map<String, AttributeValue> entryItem = RowCodec.encode(entry);
  private final Plan plan = new Plan(Duration.ofDays(90));
  private final Change like = new Change.Inserted(Like.of(post, "reader", AT));
  private final Change written = new Change.Inserted(post);

  /** Argument: the number of processes of each benchmark. */
  public static void main(String[] arguments) throws Exception {
    var options =
        new OptionsBuilder()
            .include(HotCode.class.getName())
            .forks(Integer.parseInt(arguments[0]))
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(5)
            .measurementTime(TimeValue.seconds(1))
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.SILENT)
            .build();
    var report = new BenchmarkReport("hot-code", "What runs for each item or record");
    var results = new Runner(options).run();
    report.table(
        List.of("", "ns", "± of 99.9 %", "bytes allocated"),
        results.stream().map(HotCode::row).toList());
    report.plot(
        "times",
        Svg.values(
            "Nanoseconds, with the error of 99.9 %",
            results.stream().map(RunResult::getPrimaryResult).map(HotCode::measured).toList()));
    report.write();
  }

  private static Svg.Measured measured(Result<?> result) {
    return new Svg.Measured(result.getLabel(), result.getScore(), result.getScoreError());
  }

  private static List<String> row(RunResult result) {
    var score = result.getPrimaryResult();
    var allocated = result.getSecondaryResults().get(ALLOCATED);
    return List.of(
        score.getLabel(),
        "%,.0f".formatted(score.getScore()),
        "%,.0f".formatted(score.getScoreError()),
        allocated == null ? "" : "%,.0f".formatted(allocated.getScore()));
  }

  @Benchmark
  public Map<String, AttributeValue> encodePost() {
    return RowCodec.encode(post);
  }

  @Benchmark
  public Row decodePost() {
    return RowCodec.decode(postItem);
  }

  @Benchmark
  public Map<String, AttributeValue> encodeFeedEntry() {
    return RowCodec.encode(entry);
  }

  @Benchmark
  public Row decodeFeedEntry() {
    return RowCodec.decode(entryItem);
  }

  @Benchmark
  public List<?> planCountsOfLike() {
    return plan.counts(like);
  }

  @Benchmark
  public List<Effect> planEffectsOfPost() {
    return plan.effects(written);
  }

  @Benchmark
  public String newId() {
    return TimeOrderedId.random(AT, ThreadLocalRandom.current());
  }
}
