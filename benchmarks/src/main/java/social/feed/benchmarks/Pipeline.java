package social.feed.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import social.feed.benchmarks.Svg.Ratio;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.Effect;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.Row;
import social.feed.verify.Verification;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Measures fan-out, backfill and verification against bare calls by the same client. Counts the
 * calls of both, and the processor time of this process and of the engine, which explain the ratio.
 */
final class Pipeline implements AutoCloseable {
  private static final int BATCH = 25;

  /** Edges that a lane gets together. */
  private static final int RECORDS = 100;

  /** The verified table has a tenth of the fan-out's followers. */
  private static final int FOLLOWERS_DIVISOR = 10;

  private static final int ENTRIES_OF_A_FEED = 20;

  private static final double FAN_OUT_GOAL = Goal.FAN_OUT.limit();
  private static final double VERIFY_GOAL = Goal.VERIFY.limit();

  private static final String OF_ENGINE = ", engine";

  private final EngineProcess engine;
  private final SideProfiles profiles;
  private final int rounds;
  private final List<List<String>> rates = new ArrayList<>();
  private final List<List<String>> processorTimes = new ArrayList<>();
  private final List<List<String>> compilerTimes = new ArrayList<>();
  private final List<List<String>> calls = new ArrayList<>();
  private final List<Ratio> ratios = new ArrayList<>();
  private int tables;

  private Pipeline(int rounds, SideProfiles profiles) throws Exception {
    this.rounds = rounds;
    this.profiles = profiles;
    this.engine = new EngineProcess(0);
    profiles.alsoOf(OF_ENGINE, engine.jvm());
  }

  /** Arguments: {@code --record FOLDER} if wanted, rounds, followers of a fan-out. */
  public static void main(String[] arguments) throws Exception {
    var left = new ArrayList<>(List.of(arguments));
    var profiles = SideProfiles.takenFrom(left);
    int rounds = Integer.parseInt(left.get(0));
    int followers = Integer.parseInt(left.get(1));
    var report = new BenchmarkReport("pipeline", "Fan-out, backfill and verify against bare calls");
    report.paragraph(
        "%d rounds, in turns; medians, and the median of the ratios of each round."
            .formatted(rounds));
    try (var pipeline = new Pipeline(rounds, profiles)) {
      pipeline.compare(client -> pipeline.fanOut(client, followers));
      pipeline.compare(client -> pipeline.backfill(client, followers));
      pipeline.compare(client -> pipeline.verify(client, followers));
      report.table(List.of("a second", "platform", "bare", "ratio", ""), pipeline.rates);
      report.paragraph("The platform by the bare calls. A bar is the goal.");
      report.plot("ratios", Svg.ratios("Work a second", pipeline.ratios));
      report.heading("Processor time");
      report.paragraph(
          "Of the measuring process, and of the engine's process for the same entries or rows.");
      report.table(
          List.of("Processor time for each, µs", "platform", "bare"), pipeline.processorTimes);
      report.table(List.of("of it the compiler, µs", "platform", "bare"), pipeline.compilerTimes);
      report.heading("Calls of one run");
      report.table(List.of("call", "platform", "bare"), pipeline.calls);
      report.write();
    }
  }

  /**
   * What one run of a side took.
   *
   * @param items that it handled
   * @param own processor time of this process in microseconds
   * @param compiler how long its compiler worked in microseconds
   * @param engine processor time of the engine in microseconds
   */
  private record Run(long items, double seconds, double own, double compiler, double engine) {
    double rate() {
      return items / seconds;
    }
  }

  /**
   * Two ways to do the same work. Each call does it again.
   *
   * @param items what is counted
   */
  private record Comparison(
      String name, String items, double goal, Callable<Run> platform, Callable<Run> bare) {
    String title() {
      return name + ", " + items;
    }
  }

  /** Prepares a comparison with the tables of its own. */
  @FunctionalInterface
  private interface Preparation {
    Comparison with(DynamoDbClient client) throws Exception;
  }

  private void compare(Preparation preparation) throws Exception {
    try (var client = engine.newClient()) {
      var comparison = preparation.with(client);
      measure(comparison);
      profiles.record(comparison.name, SideProfiles.PLATFORM, comparison.platform);
      profiles.record(comparison.name, SideProfiles.BARE, comparison.bare);
    }
    try (var counted = new EngineCalls(engine.endpoint());
        var client = EngineProcess.newClient(counted.endpoint())) {
      count(preparation.with(client), counted);
    }
  }

  private void measure(Comparison comparison) throws Exception {
    System.err.println(comparison.name);
    var platform = new ArrayList<Run>();
    var bare = new ArrayList<Run>();
    var sides =
        Samples.Sides.inTurns(
            rounds, () -> rate(comparison.platform, platform), () -> rate(comparison.bare, bare));
    var ratio =
        new Ratio(comparison.title(), sides.one().ratioTo(sides.other()), comparison.goal, false);
    ratios.add(ratio);
    rates.add(
        List.of(
            comparison.title(),
            "%,.0f".formatted(sides.one().median()),
            "%,.0f".formatted(sides.other().median()),
            sides.ratio(),
            ratio.isReached() ? "" : "misses %.1f".formatted(comparison.goal)));
    processorTimes.add(
        List.of(comparison.name, median(platform, Run::own), median(bare, Run::own)));
    processorTimes.add(
        List.of(
            comparison.name + OF_ENGINE, median(platform, Run::engine), median(bare, Run::engine)));
    compilerTimes.add(
        List.of(comparison.name, median(platform, Run::compiler), median(bare, Run::compiler)));
  }

  private static double rate(Callable<Run> side, List<Run> runs) throws Exception {
    var run = side.call();
    runs.add(run);
    return run.rate();
  }

  /** The first run only warms. */
  private static String median(List<Run> runs, ToDoubleFunction<Run> total) {
    var samples = new Samples();
    runs.stream().skip(1).forEach(run -> samples.add(total.applyAsDouble(run) / run.items));
    return "%,.0f".formatted(samples.median());
  }

  private void count(Comparison comparison, EngineCalls counted) throws Exception {
    counted.take();
    comparison.platform.call();
    var platform = byKind(counted.take());
    comparison.bare.call();
    var bare = byKind(counted.take());
    calls.add(List.of(comparison.title() + ":", "", ""));
    var kinds = new TreeSet<>(platform.keySet());
    kinds.addAll(bare.keySet());
    for (var kind : kinds) {
      calls.add(
          List.of(
              kind,
              "%,d".formatted(platform.getOrDefault(kind, 0L)),
              "%,d".formatted(bare.getOrDefault(kind, 0L))));
    }
  }

  private static Map<String, Long> byKind(List<String> made) {
    return made.stream().collect(Collectors.groupingBy(call -> call, Collectors.counting()));
  }

  private Run run(long items, Runnable work) {
    return run(
        () -> {
          work.run();
          return items;
        });
  }

  private Run run(LongSupplier work) {
    return profiles.during(() -> measured(work));
  }

  private Run measured(LongSupplier work) {
    var own = Machine.processorTime();
    var compiler = Machine.compilerTime();
    var engines = engine.processorTime();
    long start = System.nanoTime();
    long items = work.getAsLong();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Run(
        items,
        seconds,
        micros(Machine.processorTime().minus(own)),
        micros(Machine.compilerTime().minus(compiler)),
        micros(engine.processorTime().minus(engines)));
  }

  private static double micros(Duration time) {
    return time.toNanos() / 1e3;
  }

  private DeliveryWorld world(DynamoDbClient client, int followers) {
    return new DeliveryWorld(EngineProcess.create(client, "feed" + tables++), followers);
  }

  /** Entries of the handlers, which write in chunks, and of the same number of writers. */
  private Comparison fanOut(DynamoDbClient client, int followers) {
    var world = world(client, followers);
    return new Comparison(
        "fan-out",
        "entries",
        FAN_OUT_GOAL,
        () -> run(followers, () -> world.deliver(world.newPost())),
        () ->
            run(
                followers,
                () -> {
                  var post = world.newPost();
                  write(
                      client,
                      world.table,
                      IntStream.range(0, followers)
                          .<Row>mapToObj(i -> entry(post, DeliveryWorld.follower(i)))
                          .toList());
                }));
  }

  private static FeedEntry entry(Post post, String reader) {
    return FeedEntry.of(post.ref(), reader);
  }

  private static void write(DynamoDbClient client, Table table, List<Row> rows) {
    var batches = new ArrayList<List<Row>>();
    for (int from = 0; from < rows.size(); from += BATCH) {
      batches.add(rows.subList(from, Math.min(rows.size(), from + BATCH)));
    }
    ParallelCalls.map(
        batches, BatchSizes.STANDARD.chunksAtOnce(), batch -> writeBatch(client, table, batch));
  }

  private static boolean writeBatch(DynamoDbClient client, Table table, List<Row> batch) {
    var writes =
        batch.stream()
            .map(RowCodec::encode)
            .map(item -> WriteRequest.builder().putRequest(p -> p.item(item)).build())
            .toList();
    return client
        .batchWriteItem(b -> b.requestItems(Map.of(table.name(), writes)))
        .hasUnprocessedItems();
  }

  /**
   * Entries of the handler, which reads the edges and posts, writes, reads again what may have
   * changed meanwhile and notes on the edge how far back the feed reaches, and of writers that know
   * the posts. New followers in each round.
   */
  private Comparison backfill(DynamoDbClient client, int followers) {
    var world = world(client, 0);
    var posts = IntStream.range(0, DeliveryWorld.NEWEST).mapToObj(_ -> world.newPost()).toList();
    var refs = posts.stream().map(Post::ref).toList();
    int edges = Math.max(RECORDS, followers / DeliveryWorld.NEWEST);
    var next = new AtomicInteger();
    return new Comparison(
        "backfill",
        "entries",
        Goal.BACKFILL.limit(),
        () -> backfilled(world, edges, next.getAndAdd(edges)),
        () -> backfilledBarely(client, world.table, refs, edges, next.getAndAdd(edges)));
  }

  private Run backfilled(DeliveryWorld world, int edges, int from) {
    var follows =
        IntStream.range(from, from + edges)
            .mapToObj(
                i ->
                    Follow.of(DeliveryWorld.follower(i), DeliveryWorld.AUTHOR, DeliveryWorld.now()))
            .toList();
    world.table.putAll(follows);
    return run(
        edges * DeliveryWorld.NEWEST,
        () -> {
          for (int at = 0; at < edges; at += RECORDS) {
            world.handlers.apply(
                follows.subList(at, Math.min(edges, at + RECORDS)).stream()
                    .<Effect>map(Backfill::new)
                    .toList());
          }
        });
  }

  private Run backfilledBarely(
      DynamoDbClient client, Table table, List<PostRef> posts, int edges, int from) {
    return run(
        edges * posts.size(),
        () ->
            write(
                client,
                table,
                IntStream.range(from, from + edges)
                    .boxed()
                    .flatMap(
                        i ->
                            posts.stream()
                                .<Row>map(post -> FeedEntry.of(post, DeliveryWorld.follower(i))))
                    .toList()));
  }

  /**
   * Rows of all checks of a table without drift, and of a scan by as many readers as there are
   * processors.
   */
  private Comparison verify(DynamoDbClient client, int followers) {
    var world = world(client, followers / FOLLOWERS_DIVISOR);
    world.completeAccounts(ENTRIES_OF_A_FEED);
    for (int i = 0; i < ENTRIES_OF_A_FEED; i++) {
      world.deliver(world.newPost());
    }
    var verification = new Verification(world.table, Optional.empty());
    return new Comparison(
        "verify",
        "rows",
        VERIFY_GOAL,
        () ->
            run(
                () -> {
                  var rows = new AtomicLong();
                  var report = verification.run(() -> {}, rows::set);
                  if (!report.isClean()) {
                    // Rows with drift are read twice, so the figure would be of other work.
                    throw new IllegalStateException("The table has drift: " + report.render());
                  }
                  return rows.get();
                }),
        () -> run(() -> scanBarely(client, world.table)));
  }

  private static long scanBarely(DynamoDbClient client, Table table) {
    int segments = Runtime.getRuntime().availableProcessors();
    return ParallelCalls.map(
            IntStream.range(0, segments).boxed().toList(),
            segments,
            segment ->
                client
                    .scanPaginator(
                        s ->
                            s.tableName(table.name())
                                .segment(segment)
                                .totalSegments(segments)
                                .consistentRead(true))
                    .stream()
                    .mapToLong(page -> page.items().size())
                    .sum())
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Returns how long some work takes. */
  static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    engine.close();
  }
}
