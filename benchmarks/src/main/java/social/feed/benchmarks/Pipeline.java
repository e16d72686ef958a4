package social.feed.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import social.feed.benchmarks.Svg.Ratio;
import social.feed.ctl.verify.Verification;
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
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Measures fan-out, backfill and verification against bare calls by the same client. */
final class Pipeline implements AutoCloseable {
  private static final int BATCH = 25;

  /** Edges that a lane gets together. */
  private static final int RECORDS = 100;

  private static final double DELIVERY_GOAL = 0.9;
  private static final double VERIFY_GOAL = 0.3;

  private final EngineProcess engine;
  private final DynamoDbClient client;
  private final int rounds;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Ratio> ratios = new ArrayList<>();
  private int tables;

  private Pipeline(int rounds) throws Exception {
    this.rounds = rounds;
    this.engine = new EngineProcess(0);
    this.client = engine.newClient();
  }

  /** Arguments: rounds, followers of a fan-out. */
  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    int followers = Integer.parseInt(arguments[1]);
    var report = new BenchmarkReport("pipeline", "Fan-out, backfill and verify against bare calls");
    report.paragraph(
        "%d rounds, in turns; medians, and the median of the ratios of each round."
            .formatted(rounds));
    try (var pipeline = new Pipeline(rounds)) {
      pipeline.fanOut(followers);
      pipeline.backfill(followers);
      pipeline.verify(followers);
      report.table(List.of("a second", "platform", "bare", "ratio", ""), pipeline.rows);
      report.paragraph("The platform by the bare calls. A bar is the goal.");
      report.plot("ratios", Svg.ratios("Work a second", pipeline.ratios));
      report.write();
    }
  }

  private void compare(String title, double goal, Callable<Double> platform, Callable<Double> bare)
      throws Exception {
    System.err.println(title);
    var sides = Samples.Sides.inTurns(rounds, platform, bare);
    var ratio = new Ratio(title, sides.one().ratioTo(sides.other()), goal, false);
    ratios.add(ratio);
    rows.add(
        List.of(
            title,
            "%,.0f".formatted(sides.one().median()),
            "%,.0f".formatted(sides.other().median()),
            sides.ratio(),
            ratio.isReached() ? "" : "misses %.1f".formatted(goal)));
  }

  private DeliveryWorld world(int followers) {
    return new DeliveryWorld(EngineProcess.create(client, "feed" + tables++), followers);
  }

  /** Entries of the handlers, which write in chunks, and of the same number of writers. */
  private void fanOut(int followers) throws Exception {
    var world = world(followers);
    compare(
        "fan-out, entries",
        DELIVERY_GOAL,
        () -> followers / seconds(() -> world.deliver(world.newPost())),
        () ->
            followers
                / seconds(
                    () -> {
                      var post = world.newPost();
                      write(
                          world.table,
                          IntStream.range(0, followers)
                              .<Row>mapToObj(i -> entry(post, DeliveryWorld.follower(i)))
                              .toList());
                    }));
  }

  private static FeedEntry entry(Post post, String reader) {
    return FeedEntry.of(post.ref(), reader);
  }

  private void write(Table table, List<Row> rows) {
    var batches = new ArrayList<List<Row>>();
    for (int from = 0; from < rows.size(); from += BATCH) {
      batches.add(rows.subList(from, Math.min(rows.size(), from + BATCH)));
    }
    ParallelCalls.map(
        batches, BatchSizes.STANDARD.chunksAtOnce(), batch -> writeBatch(table, batch));
  }

  private boolean writeBatch(Table table, List<Row> batch) {
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
  private void backfill(int followers) throws Exception {
    var world = world(0);
    var posts = IntStream.range(0, DeliveryWorld.NEWEST).mapToObj(_ -> world.newPost()).toList();
    var refs = posts.stream().map(Post::ref).toList();
    int edges = Math.max(RECORDS, followers / DeliveryWorld.NEWEST);
    var next = new AtomicInteger();
    compare(
        "backfill, entries",
        DELIVERY_GOAL,
        () -> backfilled(world, edges, next.getAndAdd(edges)),
        () -> backfilledBarely(world.table, refs, edges, next.getAndAdd(edges)));
  }

  private static double backfilled(DeliveryWorld world, int edges, int from) {
    var follows =
        IntStream.range(from, from + edges)
            .mapToObj(
                i ->
                    Follow.of(DeliveryWorld.follower(i), DeliveryWorld.AUTHOR, DeliveryWorld.now()))
            .toList();
    world.table.putAll(follows);
    double seconds =
        seconds(
            () -> {
              for (int at = 0; at < edges; at += RECORDS) {
                world.handlers.apply(
                    follows.subList(at, Math.min(edges, at + RECORDS)).stream()
                        .<Effect>map(Backfill::new)
                        .toList());
              }
            });
    return edges * DeliveryWorld.NEWEST / seconds;
  }

  private double backfilledBarely(Table table, List<PostRef> posts, int edges, int from) {
    double seconds =
        seconds(
            () ->
                write(
                    table,
                    IntStream.range(from, from + edges)
                        .boxed()
                        .flatMap(
                            i ->
                                posts.stream()
                                    .<Row>map(
                                        post -> FeedEntry.of(post, DeliveryWorld.follower(i))))
                        .toList()));
    return edges * posts.size() / seconds;
  }

  /** Rows of all checks, and of a scan by as many readers as there are processors. */
  private void verify(int followers) throws Exception {
    var world = world(followers);
    world.deliver(world.newPost());
    var rows = new AtomicLong();
    var verification = new Verification(world.table, Optional.empty());
    compare(
        "verify, rows",
        VERIFY_GOAL,
        () -> {
          double seconds = seconds(() -> verification.run(() -> {}, rows::set));
          return rows.get() / seconds;
        },
        () -> {
          var read = new AtomicLong();
          double seconds = seconds(() -> read.addAndGet(scanBarely(world.table)));
          return read.get() / seconds;
        });
  }

  private long scanBarely(Table table) {
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
    client.close();
    engine.close();
  }
}
