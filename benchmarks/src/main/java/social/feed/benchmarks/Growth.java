package social.feed.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import social.feed.benchmarks.Svg.Point;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.table.erasure.Erasures;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Like;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Measures how time, memory and units grow with the data. */
final class Growth implements AutoCloseable {
  private static final int PAGE = 50;

  /** Pages that are timed together. */
  private static final int PAGES = 40;

  /** Posts that are timed together, so many that a pause of the collector is a small part. */
  private static final int POSTS = 400;

  /** Entries of each feed. */
  private static final int FEED = 100;

  /** Leaves the processor to the delivery. */
  private static final Duration BETWEEN_COLLECTIONS = Duration.ofMillis(100);

  private static final double TIME_GOAL = Goal.FEED_PAGE.limit();
  private static final double POST_GOAL = Goal.NEW_POST.limit();

  private final EngineProcess engine;
  private final DynamoDbClient client;
  private final int rounds;
  private final BenchmarkReport report;
  private int tables;

  private Growth(int rounds, BenchmarkReport report) throws Exception {
    this.rounds = rounds;
    this.report = report;
    this.engine = new EngineProcess(0);
    this.client = engine.newClient();
  }

  /** Arguments: rounds, the most entries, the most followers, the most rows of an account. */
  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    var report = new BenchmarkReport("growth", "Growth with the data");
    report.paragraph(
        "%d rounds; in each round all sizes in turns; medians. The ratio is the median of the ratios of each round to the smallest size."
            .formatted(rounds));
    try (var growth = new Growth(rounds, report)) {
      growth.page(sizes(1_000, Integer.parseInt(arguments[1])));
      growth.post(sizes(10, Integer.parseInt(arguments[2])));
      growth.memory(sizes(1_000, Integer.parseInt(arguments[2])));
      growth.erasure(sizes(10, Integer.parseInt(arguments[3])));
      report.write();
    }
  }

  private static List<Integer> sizes(int least, int most) {
    return IntStream.iterate(least, size -> size <= most, size -> size * 10).boxed().toList();
  }

  @FunctionalInterface
  private interface Measured<T> {
    double in(T world, int size) throws Exception;
  }

  /** A world of a size, and what was measured in it. */
  private record Candidate<T>(int size, T world, Samples samples) {
    void measure(Measured<T> measured) throws Exception {
      samples.add(measured.in(world, size));
    }
  }

  /**
   * Measures all sizes in each round, in alternating order. Each is measured once before, which
   * does not count.
   *
   * @param goal the largest ratio that is wanted to the smallest size
   */
  private <T> void curve(
      String file,
      String title,
      String of,
      String unit,
      double goal,
      List<Integer> sizes,
      IntFunction<T> world,
      Measured<T> measured)
      throws Exception {
    System.err.println(title);
    var candidates = new ArrayList<Candidate<T>>();
    for (int size : sizes) {
      var candidate = new Candidate<>(size, world.apply(size), new Samples());
      measured.in(candidate.world(), size);
      candidates.add(candidate);
    }
    for (int round = 0; round < rounds; round++) {
      for (var candidate : round % 2 == 0 ? candidates : candidates.reversed()) {
        candidate.measure(measured);
      }
    }
    report.heading(title);
    var smallest = candidates.getFirst().samples();
    report.table(
        List.of(of, unit, "ratio", ""),
        candidates.stream()
            .map(
                candidate -> {
                  double ratio = candidate.samples().ratioTo(smallest);
                  return List.of(
                      "%,d".formatted(candidate.size()),
                      "%,.2f".formatted(candidate.samples().median()),
                      "%.2f".formatted(ratio),
                      ratio <= goal ? "" : "misses %.1f".formatted(goal));
                })
            .toList());
    report.plot(
        file,
        Svg.growth(
            title,
            of,
            unit,
            candidates.stream()
                .map(candidate -> new Point(candidate.size(), candidate.samples().median()))
                .toList()));
  }

  private Table newTable() {
    return EngineProcess.create(client, "feed" + tables++);
  }

  /** The time of a page of a feed, with many entries of other feeds in the table. */
  private void page(List<Integer> sizes) throws Exception {
    curve(
        "page",
        "A page of %d references of a feed".formatted(PAGE),
        "entries in the table",
        "ms",
        TIME_GOAL,
        sizes,
        this::withEntries,
        (table, _) -> readPages(table));
  }

  private Table withEntries(int entries) {
    var table = newTable();
    for (int reader = 0; reader < entries / FEED; reader++) {
      var rows = new ArrayList<Row>();
      for (int i = 0; i < FEED; i++) {
        var post =
            DeliveryWorld.post("author" + i, DeliveryWorld.now().minus(Duration.ofSeconds(i)));
        rows.add(FeedEntry.of(post.ref(), DeliveryWorld.follower(reader)));
      }
      table.putAll(rows);
    }
    return table;
  }

  private static double readPages(Table table) {
    var feeds = new HomeFeeds(table);
    return millisOfOne(
        PAGES,
        i -> {
          var view = new FeedView(DeliveryWorld.follower(i % 10), List.of(), Instant.EPOCH);
          if (feeds.of(view, PageRequest.first(PAGE)).slots().size() < PAGE) {
            throw new IllegalStateException("The page is short");
          }
        });
  }

  private static double millisOfOne(int together, IntConsumer call) {
    return 1e3 / together * Pipeline.seconds(() -> IntStream.range(0, together).forEach(call));
  }

  /**
   * The time of a new post, and that of a bare write of the same item into the same tables, which
   * shows what the engine takes longer for in a large table.
   */
  private void post(List<Integer> sizes) throws Exception {
    var worlds = new HashMap<Integer, DeliveryWorld>();
    for (int size : sizes) {
      worlds.put(size, new DeliveryWorld(newTable(), size));
    }
    curve(
        "post",
        "A new post",
        "followers of its author",
        "ms",
        POST_GOAL,
        sizes,
        worlds::get,
        (world, _) -> millisOfOne(POSTS, _ -> world.newPost()));
    curve(
        "bare-post",
        "A bare PutItem of a post",
        "followers of its author",
        "ms",
        Double.POSITIVE_INFINITY,
        sizes,
        worlds::get,
        (world, _) ->
            millisOfOne(
                POSTS,
                _ ->
                    client.putItem(
                        b ->
                            b.tableName(world.table.name())
                                .item(
                                    RowCodec.encode(
                                        DeliveryWorld.post(
                                            DeliveryWorld.AUTHOR, DeliveryWorld.now()))))));
  }

  /** What is reachable at once while a post is delivered, measured by collections. */
  private void memory(List<Integer> sizes) throws Exception {
    curve(
        "memory",
        "Memory of a fan-out",
        "followers",
        "MB",
        Goal.FAN_OUT_MEMORY.limit(),
        sizes,
        size -> new DeliveryWorld(newTable(), size),
        (world, _) -> reachable(world));
  }

  private static double reachable(DeliveryWorld world) throws InterruptedException {
    var post = world.newPost();
    var isDone = new AtomicBoolean();
    var most = new AtomicLong();
    var sampler =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!isDone.get()) {
                    System.gc();
                    most.accumulateAndGet(used(), Math::max);
                    LockSupport.parkNanos(BETWEEN_COLLECTIONS.toNanos());
                  }
                });
    try {
      world.deliver(post);
    } finally {
      isDone.set(true);
      sampler.join();
    }
    return most.get() / (double) (1 << 20);
  }

  private static long used() {
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Time and units of the erasure of an account, until it waits for the next sweep. */
  private void erasure(List<Integer> sizes) throws Exception {
    var world = new DeliveryWorld(newTable(), 0);
    var number = new AtomicInteger();
    curve(
        "erasure",
        "Erasure of an account, time",
        "likes of the account",
        "ms a row",
        TIME_GOAL,
        sizes,
        _ -> world,
        (_, likes) -> 1e3 * erased(world, number, likes, new CostMeter()) / likes);
    curve(
        "erasure-units",
        "Erasure of an account, units as the engine reports them",
        "likes of the account",
        "units a row",
        TIME_GOAL,
        sizes,
        _ -> world,
        (_, likes) -> {
          var meter = new CostMeter();
          erased(world, number, likes, meter);
          return (meter.consumed().read() + meter.consumed().write()) / likes;
        });
  }

  private static double erased(
      DeliveryWorld world, AtomicInteger number, int likes, CostMeter meter) {
    var id = "erased" + number.incrementAndGet();
    var rows = new ArrayList<Row>();
    var now = DeliveryWorld.now();
    rows.add(User.registered(id, id, id, null, now));
    for (int i = 0; i < likes; i++) {
      rows.add(Like.of(DeliveryWorld.post("other", now.minus(Duration.ofMillis(i))), id, now));
    }
    world.table.putAll(rows);
    var erasures = new Erasures(world.table, new Users(world.table));
    return Pipeline.seconds(
        () ->
            meter.measure(
                () -> {
                  erasures.begin(id, Instant.now());
                  for (var at = erasures.of(id).orElseThrow();
                      at.step().isUnderWay();
                      at = erasures.of(id).orElseThrow()) {
                    world.handlers.apply(List.of(new Erase(at.hash(), at.revision())));
                  }
                  return true;
                }));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    client.close();
    engine.close();
  }
}
