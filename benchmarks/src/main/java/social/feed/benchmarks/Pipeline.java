package social.feed.benchmarks;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import social.feed.ctl.verify.Verification;
import social.feed.streams.EffectHandlers;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.DeliverChunkHandler.DeliverChunk;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Measures fan-out and verification against bare calls by the same client, and how the time of a
 * page and of a new post, and the memory of a fan-out, grow with the data.
 */
final class Pipeline implements AutoCloseable {
  private static final String LINE = "%-46s  %12s  %12s  %6s%n";
  private static final int BATCH = 25;
  private static final int SHARDS = 4;
  private static final int NEWEST = 20;
  private static final int PAGE = 50;

  /** Leaves the processor to the delivery. */
  private static final Duration BETWEEN_COLLECTIONS = Duration.ofMillis(100);

  /** Calls of one kind that are timed together. */
  private static final int TOGETHER = 40;

  private final EngineProcess engine;
  private final DynamoDbClient client;
  private final Random random = new Random(42);
  private final int rounds;
  private int tables;

  private Pipeline(int rounds) throws Exception {
    this.rounds = rounds;
    this.engine = new EngineProcess(0);
    this.client = engine.newClient();
  }

  /** Arguments: rounds, followers of a fan-out, entries of the large feed table. */
  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    int followers = Integer.parseInt(arguments[1]);
    int entries = Integer.parseInt(arguments[2]);
    System.out.println(Machine.description());
    System.out.printf(
        "%d rounds, in turns; medians, the median of the ratios of each round%n", rounds);
    try (var pipeline = new Pipeline(rounds)) {
      System.out.printf("%n" + LINE, "", "platform", "bare", "ratio");
      pipeline.fanOut(followers);
      pipeline.verify(followers);
      System.out.printf("%n" + LINE, "", "large", "small", "ratio");
      pipeline.page(entries);
      pipeline.post(followers);
      pipeline.memory(followers);
    }
  }

  @FunctionalInterface
  private interface Measured {
    double measure() throws Exception;
  }

  /** Measures both in each round, and alternates which of them is first. */
  private void compare(String title, Measured one, Measured other) throws Exception {
    var ones = new Samples();
    var others = new Samples();
    one.measure();
    other.measure();
    for (int round = 0; round < rounds; round++) {
      if (round % 2 == 0) {
        ones.add(one.measure());
        others.add(other.measure());
      } else {
        others.add(other.measure());
        ones.add(one.measure());
      }
    }
    System.out.printf(
        LINE,
        title,
        "%,.1f".formatted(ones.median()),
        "%,.1f".formatted(others.median()),
        "%.2f".formatted(ones.ratioTo(others)));
  }

  /** Entries a second of the handlers, which write in chunks, and of the same number of writers. */
  private void fanOut(int followers) throws Exception {
    var world = new World(followers);
    compare(
        "Fan-out to %,d followers, entries/s".formatted(followers),
        () -> followers / seconds(() -> world.deliver(world.newPost())),
        () -> followers / seconds(() -> writeBarely(world)));
  }

  private void writeBarely(World world) {
    var post = world.newPost();
    var batches = new ArrayList<List<Integer>>();
    for (int from = 0; from < world.followers; from += BATCH) {
      batches.add(IntStream.range(from, Math.min(world.followers, from + BATCH)).boxed().toList());
    }
    ParallelCalls.map(
        batches, BatchSizes.STANDARD.chunksAtOnce(), batch -> writeBatch(world, post, batch));
  }

  private boolean writeBatch(World world, Post post, List<Integer> batch) {
    var writes =
        batch.stream()
            .map(i -> RowCodec.encode(FeedEntry.of(post.ref(), follower(i))))
            .map(item -> WriteRequest.builder().putRequest(p -> p.item(item)).build())
            .toList();
    return client
        .batchWriteItem(b -> b.requestItems(Map.of(world.table.name(), writes)))
        .hasUnprocessedItems();
  }

  /** Rows a second of all checks, and of a scan by as many readers as there are processors. */
  private void verify(int followers) throws Exception {
    var world = new World(followers);
    world.deliver(world.newPost());
    var rows = new AtomicLong();
    var verification = new Verification(world.table, Optional.empty());
    compare(
        "Verify, rows/s",
        () -> 1 / (seconds(() -> verification.run(() -> {}, rows::set)) / Math.max(1, rows.get())),
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

  /** Milliseconds of a page of a feed, with many entries of other feeds in the table. */
  private void page(int entries) throws Exception {
    int small = 1_000;
    var many = withEntries(entries);
    var few = withEntries(small);
    compare(
        "Feed page of %d at %,d and %,d entries, ms".formatted(PAGE, entries, small),
        () -> readPages(many),
        () -> readPages(few));
  }

  private Table withEntries(int entries) {
    var table = EngineProcess.create(client, "feed" + tables++);
    int feed = 100;
    for (int reader = 0; reader < entries / feed; reader++) {
      var rows = new ArrayList<Row>();
      for (int i = 0; i < feed; i++) {
        rows.add(FeedEntry.of(post("author" + i, now().minusSeconds(i)).ref(), follower(reader)));
      }
      table.putAll(rows);
    }
    return table;
  }

  private double readPages(Table table) {
    var feeds = new HomeFeeds(table);
    return 1e3
        / TOGETHER
        * seconds(
            () -> {
              for (int i = 0; i < TOGETHER; i++) {
                var view = new FeedView(follower(i % 10), List.of(), Instant.EPOCH);
                if (feeds.of(view, PageRequest.first(PAGE)).slots().size() < PAGE) {
                  throw new IllegalStateException("The page is short");
                }
              }
            });
  }

  /** Milliseconds of a new post by authors with many and with few followers. */
  private void post(int followers) throws Exception {
    int small = 10;
    var many = new World(followers);
    var few = new World(small);
    compare(
        "New post with %,d and %,d followers, ms".formatted(followers, small),
        () -> writePosts(many),
        () -> writePosts(few));
  }

  private double writePosts(World world) {
    return 1e3
        / TOGETHER
        * seconds(() -> IntStream.range(0, TOGETHER).forEach(_ -> world.newPost()));
  }

  /** Megabytes that are reachable at once while a post is delivered, measured by collections. */
  private void memory(int followers) throws Exception {
    int small = Math.min(1_000, followers);
    var many = new World(followers);
    var few = new World(small);
    compare(
        "Memory of a fan-out to %,d and %,d, MB".formatted(followers, small),
        () -> reachable(many),
        () -> reachable(few));
  }

  private static double reachable(World world) throws InterruptedException {
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

  private static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  private static String follower(int number) {
    return "follower%07d".formatted(number);
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private Post post(String authorId, Instant at) {
    return new Post(
        TimeOrderedId.random(at, random),
        authorId,
        "A post of usual length, with a few words.",
        List.of(),
        List.of(),
        Visibility.PUBLIC,
        null,
        at,
        SHARDS,
        FanOutMode.PUSH,
        0,
        0,
        Map.of());
  }

  /** A table with one author and the author's followers, and the handlers of the multiplexer. */
  private final class World {
    private static final String AUTHOR = "author";

    private final Table table = EngineProcess.create(client, "feed" + tables++);
    private final EffectHandlers handlers =
        new EffectHandlers(
            table,
            Clock.systemUTC(),
            NEWEST,
            BatchSizes.STANDARD,
            ErasureSweeps.Settings.unpaced(),
            _ -> {});
    private final Posts posts = new Posts(table);
    private final int followers;

    World(int followers) {
      this.followers = followers;
      var since = now().minus(Duration.ofDays(1));
      var rows = new ArrayList<Row>();
      rows.add(User.registered(AUTHOR, AUTHOR, AUTHOR, null, since));
      for (int i = 0; i < followers; i++) {
        rows.add(Follow.of(follower(i), AUTHOR, since));
      }
      table.putAll(rows);
    }

    Post newPost() {
      var post = post(AUTHOR, now());
      posts.create(post);
      return post;
    }

    /** Applies the effects of a new post, and those of the chunks that it is cut into. */
    void deliver(Post post) {
      handlers.apply(List.of(new FanOut(post)));
      var chunks =
          new PartitionQueries(table)
              .items(Keys.fanout(post.postId()), Keys.CHUNKS)
              .flatMap(List::stream)
              .<Effect>map(item -> new DeliverChunk((FanOutChunk) RowCodec.decode(item)))
              .toList();
      if (!chunks.isEmpty()) {
        handlers.apply(chunks);
      }
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    client.close();
    engine.close();
  }
}
