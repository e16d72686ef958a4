package social.feed.benchmarks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.PostRef;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.user.Users;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Measures how long posts take to their followers: alone, next to one caller who sends as many
 * follows, likes and posts as the API admits, next to bare writes of what these posts deliver, and
 * next to the same requests from many callers. The whole platform runs in this process, and each
 * side runs once a round.
 */
final class Fairness implements AutoCloseable {
  /** Each posts every six seconds, which is within the limits of an author. */
  private static final int AUTHORS = 120;

  private static final int READERS_OF_EACH = 3;

  /** The callers who share the requests of one. */
  private static final int MANY = 20;

  /** The API's default number of partitions of a post's entries. */
  private static final int SHARDS = 4;

  /** Posts that the caller can like from the beginning. */
  private static final int LIKEABLE = 200;

  private static final int FOLLOWS_A_DAY = 400;
  private static final int REQUESTS_AT_ONCE = 200;
  private static final Duration BETWEEN_REQUESTS = Duration.ofMillis(10);
  private static final int OPEN_REQUESTS = 16;

  /** What {@code feed.limits.deliveries} admits of an author with few followers. */
  private static final int POSTS_AT_ONCE = 4;

  private static final Duration BETWEEN_BARE_POSTS = Duration.ofSeconds(5);
  private static final String BARE_TABLE = "bare";

  private static final Duration BETWEEN_POSTS = Duration.ofMillis(50);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

  /** Posts that one look covers. */
  private static final int AT_ONCE = 10;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration DRAIN = Duration.ofMinutes(5);
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  private final FairnessOptions options;
  private final SideProfiles profiles;
  private final LocalPlatform platform =
      LocalPlatform.start(PlatformSettings.inMemory().withoutXray());
  private final DynamoDbClient client = platform.engine().directClient();
  private final Table table = new Table(client, PlatformSettings.TABLE, Retry.standard());
  private final Table bare = new Table(client, BARE_TABLE, Retry.standard());
  private final AtomicInteger barePosts = new AtomicInteger();
  private final AccountCalls calls;
  private final List<String> likeable = new ArrayList<>();
  private final Map<String, Integer> answersToOne = new TreeMap<>();
  private final Map<String, Integer> answersToMany = new TreeMap<>();
  private int floodsOfOne;
  private int floodsOfMany;

  private Fairness(FairnessOptions options, SideProfiles profiles) {
    this.options = options;
    this.profiles = profiles;
    this.calls = new AccountCalls(platform.api(), BETWEEN_REQUESTS.multipliedBy(options.share()));
  }

  /** Arguments: options. */
  public static void main(String[] arguments) throws IOException {
    var left = new ArrayList<>(List.of(arguments));
    var profiles = SideProfiles.takenFrom(left);
    int code = 1;
    try (var fairness = new Fairness(FairnessOptions.parsed(left), profiles)) {
      fairness.store();
      fairness.run();
      code = 0;
    } catch (Exception e) {
      e.printStackTrace();
    } finally {
      // A pool of the closed platform keeps an idle thread.
      System.exit(code);
    }
  }

  private void store() {
    createBareTable();
    var users = new Users(table);
    var follows = new FollowWriter(table, Long.MAX_VALUE);
    var now = now();
    var people =
        Stream.of(
                numbered("author", AUTHORS),
                IntStream.range(0, AUTHORS)
                    .boxed()
                    .flatMap(author -> numbered(reader(author), READERS_OF_EACH)),
                numbered("followed", FOLLOWS_A_DAY),
                numbered("fan", options.fans()),
                callers())
            .flatMap(names -> names);
    people.forEach(name -> users.register(User.registered(name, name, name, null, now)));
    for (int author = 0; author < AUTHORS; author++) {
      var followed = "author" + author;
      readers(author).forEach(reader -> follows.follow(Follow.of(reader, followed, now)));
    }
    callers()
        .forEach(
            caller ->
                numbered("fan", options.fans())
                    .forEach(fan -> follows.follow(Follow.of(fan, caller, now))));
    // Before the measurement, because tokens are limited as requests of one address.
    Stream.concat(numbered("author", AUTHORS), callers()).forEach(calls::tokenOf);
    for (int post = 0; post < LIKEABLE; post++) {
      likeable.add(post(post % AUTHORS));
      // Each author has an author's limits.
      LockSupport.parkNanos(BETWEEN_REQUESTS.multipliedBy(1 + options.share() / 10).toNanos());
    }
    platform.drain(DRAIN);
  }

  /**
   * Creates the table of the bare writes, without a stream: with two streams, DynamoDB Local passes
   * all records of the older one for each write to the table of the newer one.
   */
  private void createBareTable() {
    new TableProvisioning(client, FeedTable.DECLARATION).ensure(BARE_TABLE);
    client.updateTable(
        t -> t.tableName(BARE_TABLE).streamSpecification(s -> s.streamEnabled(false)));
  }

  /** Those who send alone, a new one for each flood of a run, and those who share. */
  private Stream<String> callers() {
    int recorded =
        Math.toIntExact(
            Math.ceilDiv(
                SideProfiles.RECORDED.toMillis(), options.posts() * BETWEEN_POSTS.toMillis()));
    return Stream.concat(
        numbered("caller", 1 + options.rounds() + recorded), numbered("sharer", MANY));
  }

  private void run() throws Exception {
    var sides = new FairnessReport(options.hasMany());
    if (!options.isCheck()) {
      deliver("warm-up");
      floodedByOne();
      answersToOne.clear();
    }
    for (int round = 0; round < options.rounds(); round++) {
      if (round % 2 == 0) {
        sides.alone.add(deliver("alone"));
        sides.one.add(floodedByOne());
        sides.bare.add(nextToBareWrites());
        addMany(sides);
      } else {
        addMany(sides);
        sides.bare.add(nextToBareWrites());
        sides.one.add(floodedByOne());
        sides.alone.add(deliver("alone"));
      }
    }
    var report = sides.report(about(), answers());
    if (options.isCheck()) {
      check(answersToOne);
      if (options.hasMany()) {
        check(answersToMany);
      }
      System.out.println("All sides deliver, and each kind of request was accepted");
    } else {
      report.write();
      profiles.record("alone", "", () -> deliver("alone"));
      profiles.record("one caller", "", this::floodedByOne);
    }
  }

  /** All posts were delivered, or the run had ended with an exception. */
  private static void check(Map<String, Integer> answers) {
    for (var kind : Request.values()) {
      if (answers.getOrDefault(kind.title(true), 0) == 0) {
        throw new IllegalStateException("No " + kind + " was accepted: " + answers);
      }
    }
  }

  private void addMany(FairnessReport sides) {
    if (options.hasMany()) {
      sides.many.add(floodedByMany());
    }
  }

  private Histogram nextToBareWrites() {
    try (var _ = new BareWrites()) {
      return deliver("next to bare writes");
    }
  }

  private Histogram floodedByOne() {
    return flooded(List.of("caller" + floodsOfOne++), answersToOne);
  }

  /** The turn shifts from round to round, so that each follows and likes what it did not before. */
  private Histogram floodedByMany() {
    var sharers = numbered("sharer", MANY).collect(Collectors.toCollection(ArrayList::new));
    Collections.rotate(sharers, floodsOfMany++);
    return flooded(sharers, answersToMany);
  }

  private Histogram flooded(List<String> callers, Map<String, Integer> answers) {
    try (var flood = new Flood(callers)) {
      var times = deliver("next to " + callers.size() + " callers");
      flood.stop();
      flood.answers.forEach((answer, number) -> answers.merge(answer, number.get(), Integer::sum));
      return times;
    } finally {
      platform.drain(DRAIN);
    }
  }

  /**
   * Creates posts at a fixed pace, and prints and returns how long each took from its response
   * until all followers of its author had it.
   */
  private Histogram deliver(String side) {
    return profiles.during(() -> delivered(side));
  }

  private Histogram delivered(String side) {
    var outstanding = new ConcurrentLinkedQueue<Delivery>();
    var failures = new ConcurrentLinkedQueue<Throwable>();
    var unsent = new AtomicInteger(options.posts());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var times = CompletableFuture.supplyAsync(() -> look(outstanding, unsent), threads);
      long start = System.nanoTime();
      for (int i = 0; i < options.posts(); i++) {
        int author = i % AUTHORS;
        waitUntil(start + i * BETWEEN_POSTS.toNanos());
        threads.execute(
            () -> {
              try {
                outstanding.add(Delivery.of(post(author), author));
              } catch (RuntimeException e) {
                failures.add(e);
              } finally {
                unsent.decrementAndGet();
              }
            });
      }
      var seen = times.join();
      if (!failures.isEmpty()) {
        throw new IllegalStateException(failures.size() + " posts failed", failures.peek());
      }
      System.err.printf(
          Locale.ROOT,
          "%s: p50 %.1f ms, p99 %.1f ms%n",
          side,
          seen.getValueAtPercentile(50) / 1e3,
          seen.getValueAtPercentile(99) / 1e3);
      return seen;
    }
  }

  /**
   * A post on its way.
   *
   * @param entries the keys of its entries
   * @param answered when the response came
   */
  private record Delivery(String post, List<Key> entries, long answered) {
    static Delivery of(String post, int author) {
      return new Delivery(
          post,
          readers(author).map(reader -> FeedEntry.key(post, SHARDS, reader)).toList(),
          System.nanoTime());
    }

    Key first() {
      return entries.getFirst();
    }
  }

  /**
   * Looks for a few posts at a time, in turns, so that looking costs the same however many are on
   * their way.
   */
  private Histogram look(Queue<Delivery> outstanding, AtomicInteger unsent) {
    var times = new Histogram(3);
    while (unsent.get() > 0 || !outstanding.isEmpty()) {
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      var some = Stream.generate(outstanding::poll).limit(AT_ONCE).takeWhile(Objects::nonNull);
      var looked = some.toList();
      var there =
          table.itemsAt(looked.stream().map(Delivery::first).toList(), true).stream()
              .map(KeyAttributes::key)
              .collect(Collectors.toSet());
      for (var delivery : looked) {
        boolean isDelivered =
            there.contains(delivery.first())
                && table.itemsAt(delivery.entries(), true).size() == delivery.entries().size();
        long took = System.nanoTime() - delivery.answered();
        if (isDelivered) {
          times.recordValue(took / 1_000);
        } else if (took > PATIENCE.toNanos()) {
          throw new IllegalStateException("Not delivered in " + PATIENCE + ": " + delivery.post());
        } else {
          outstanding.add(delivery);
        }
      }
    }
    return times;
  }

  /** A kind of request of the caller. */
  enum Request {
    FOLLOW,
    LIKE,
    POST;

    String title(boolean isAccepted) {
      return name().toLowerCase(Locale.ROOT) + (isAccepted ? "" : ", refused");
    }
  }

  /** Callers who together send requests at the rate limit of one until they are stopped. */
  private final class Flood implements AutoCloseable {
    private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
    private final Queue<String> unliked = new ConcurrentLinkedQueue<>(likeable);
    private final AtomicInteger followed = new AtomicInteger();
    private final List<String> callers;
    private final Thread thread;
    private volatile boolean isStopped;

    Flood(List<String> callers) {
      this.callers = callers;
      this.thread = Thread.ofVirtual().start(this::run);
    }

    private void run() {
      var open = new Semaphore(OPEN_REQUESTS);
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        long start = System.nanoTime();
        for (int i = 0; !isStopped; i++) {
          int waiting = Math.max(0, i - REQUESTS_AT_ONCE / options.share());
          waitUntil(start + waiting * BETWEEN_REQUESTS.multipliedBy(options.share()).toNanos());
          open.acquireUninterruptibly();
          var wanted = options.requests().get(i % options.requests().size());
          // Each caller sends all kinds in turn.
          var caller = callers.get(i / options.requests().size() % callers.size());
          threads.execute(
              () -> {
                try {
                  send(caller, wanted);
                } finally {
                  open.release();
                }
              });
        }
      }
    }

    /** Sends a post instead where the caller has followed or liked all there is. */
    private void send(String caller, Request wanted) {
      int target = wanted == Request.FOLLOW ? followed.getAndIncrement() : 0;
      var post = wanted == Request.LIKE ? unliked.poll() : null;
      var kind =
          target >= FOLLOWS_A_DAY || wanted == Request.LIKE && post == null ? Request.POST : wanted;
      int status =
          switch (kind) {
            case FOLLOW ->
                calls.post(caller, "/v1/users/followed" + target + "/follow", "").statusCode();
            case LIKE ->
                calls.post(caller, "/v1/posts/" + requireNonNull(post) + "/like", "").statusCode();
            case POST -> calls.post(caller, "/v1/posts", "{\"text\":\"again\"}").statusCode();
          };
      answers.computeIfAbsent(kind.title(status < 300), _ -> new AtomicInteger()).incrementAndGet();
    }

    void stop() {
      isStopped = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      stop();
    }
  }

  /**
   * Writes the entries of as many posts as one caller may deliver, at the same pace, into a table
   * of its own on the same engine. No stream is read and no request is sent. So what they delay,
   * the engine and the processors delay.
   */
  private final class BareWrites implements AutoCloseable {
    private final Thread thread;
    private volatile boolean isStopped;

    BareWrites() {
      this.thread = Thread.ofVirtual().start(this::run);
    }

    private void run() {
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        long start = System.nanoTime();
        for (int i = 0; !isStopped; i++) {
          int waiting = Math.max(0, i + 1 - POSTS_AT_ONCE);
          waitUntil(start + waiting * BETWEEN_BARE_POSTS.toNanos());
          threads.execute(this::write);
        }
      }
    }

    private void write() {
      var post = "bare" + barePosts.incrementAndGet();
      var ref = new PostRef(post, "bare", now(), Visibility.PUBLIC, SHARDS, FanOutMode.PUSH);
      bare.putAll(numbered("fan", options.fans()).map(fan -> FeedEntry.of(ref, fan)).toList());
    }

    @Override
    public void close() {
      isStopped = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private String post(int author) {
    var answer =
        calls.post("author" + author, "/v1/posts", "{\"text\":\"A post of usual length\"}");
    return AccountCalls.found(ID, answer);
  }

  private static void waitUntil(long nanoTime) {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static Stream<String> readers(int author) {
    return numbered(reader(author), READERS_OF_EACH);
  }

  private static String reader(int author) {
    return "reader" + author + "x";
  }

  private static Stream<String> numbered(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> name + i);
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private String about() {
    return "%d rounds, in turns; each side delivers %d posts of %d authors with %d followers each. A caller has %d followers and 1/%d of production's limits; many are %d callers who share its requests."
        .formatted(
            options.rounds(),
            options.posts(),
            AUTHORS,
            READERS_OF_EACH,
            options.fans(),
            options.share(),
            MANY);
  }

  private String answers() {
    return "Requests of one caller: %s. Requests of many: %s."
        .formatted(answersToOne, answersToMany);
  }

  @Override
  public void close() {
    calls.close();
    client.close();
    platform.close();
  }
}
