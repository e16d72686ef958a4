package social.feed.api.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.benmanes.caffeine.cache.Ticker;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.api.edge.cache.RedisServer;
import social.feed.api.edge.cache.SharedCache;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Mention;
import social.feed.table.row.Post;
import social.feed.table.row.PostMedia;
import social.feed.table.row.Visibility;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Two servers that read hot posts and accounts together, once in the time of the cache. */
@LongRunning
class ITSharedItems {
  private static final int READERS = 24;

  /** Longer than a stampede takes on a busy machine. */
  private static final Duration LONG = Duration.ofSeconds(20);

  private static final Duration CACHED = Duration.ofSeconds(4);

  /**
   * A part of it. The rest is longer than a call of the cache takes on a busy machine, and the part
   * longer than the process pauses there.
   */
  private static final Duration PART = CACHED.dividedBy(4);

  private static final int WAITERS = 8;

  /** More calls than one waiter makes in the five seconds that it waits at most. */
  private static final int FEW = 14;

  private final RedisServer redis = new RedisServer();
  private final Reads reads = new Reads();
  private FeedServer server;
  private final List<FeedServer> others = new ArrayList<>();

  /** Counts the reads of each item by the servers. */
  private static final class Reads implements Wire {
    private final Map<String, AtomicInteger> ofPartitions = new ConcurrentHashMap<>();

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (request instanceof BatchGetItemRequest batch) {
        batch.requestItems().values().stream()
            .flatMap(items -> items.keys().stream())
            .filter(key -> string(key, "SK").equals("META"))
            .forEach(
                key ->
                    ofPartitions
                        .computeIfAbsent(string(key, "PK"), _ -> new AtomicInteger())
                        .incrementAndGet());
      }
      return table.apply(request);
    }

    private static String string(Map<String, AttributeValue> key, String attribute) {
      return Objects.requireNonNull(key.get(attribute)).s();
    }

    int of(String partition) {
      return Optional.ofNullable(ofPartitions.get(partition)).map(AtomicInteger::get).orElse(0);
    }
  }

  @BeforeEach
  void start() {
    server = FeedServer.start(shared(LONG), reads);
  }

  @AfterEach
  void stop() {
    others.forEach(FeedServer::stop);
    server.close();
    redis.close();
  }

  private FeedServer another(Map<String, Object> settings) {
    var other = server.another(settings, reads);
    others.add(other);
    return other;
  }

  private Map<String, Object> shared(Duration cached) {
    return Map.of(
        "feed.cache.url",
        redis.url(),
        "feed.cache.timeout",
        "5s",
        "feed.hot.cached",
        cached,
        "feed.limits.rate.per-second",
        1_000,
        "feed.limits.rate.burst",
        10_000);
  }

  @Test
  void stampede_atTwoServers_readsAPostAndItsAuthorOnce() {
    assertReadOnce(another(shared(LONG)));
  }

  /** The same check finds servers that do not share what they read. */
  @Test
  void stampede_atAServerWithoutTheCache_isFound() {
    var other = another(Map.of("feed.hot.cached", LONG));

    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertReadOnce(other));
  }

  private void assertReadOnce(FeedServer other) {
    Person ann = server.world().user("ann");
    Post post = ann.posts("hot");
    String path = "/v1/users/" + ann.id() + "/posts";
    List<Api> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add((i % 2 == 0 ? server : other).as("reader" + i));
    }

    try (var pool = Executors.newFixedThreadPool(READERS)) {
      List<Future<?>> pages = new ArrayList<>();
      for (Api reader : readers) {
        pages.add(pool.submit(() -> assertShows(post, ann, reader, path)));
      }
      for (var page : pages) {
        page.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }

    assertThat(reads.of("POST#" + post.postId())).isEqualTo(1);
    assertThat(reads.of("USER#" + ann.id())).isEqualTo(1);
  }

  private static void assertShows(Post post, Person author, Api reader, String path) {
    var first = Expect.status(200, reader.get(path)).json().get("items").get(0);
    assertThat(first.get("id").getStringValue()).isEqualTo(post.postId());
    assertThat(first.get("author").get("id").getStringValue()).isEqualTo(author.id());
  }

  @Test
  void deletedPost_isGoneFromBothServers_whenItsTimeIsOver() {
    var own = another(shared(CACHED));
    var other = another(shared(CACHED));
    Person ann = server.world().user("ann");
    Post post = ann.posts("soon gone");
    String path = "/v1/users/" + ann.id() + "/posts";
    Api atOwn = own.as("reader");
    Api atOther = other.as("reader");

    assertShows(post, ann, atOwn, path);
    assertShows(post, ann, atOther, path);
    // On a slow machine the second server has read the post itself.
    long shown = System.nanoTime();
    Expect.status(
        200, own.as(ann).patch("/v1/posts/" + post.postId(), "{\"visibility\":\"private\"}"));

    Polling.until(() -> System.nanoTime() - shown > CACHED.toNanos());
    assertThat(atOwn.get(path).json().get("items").size()).isZero();
    assertThat(atOther.get(path).json().get("items").size()).isZero();
  }

  @Test
  void item_thatAProcessTakesFromTheCache_isNotShownForLongerThanAtItsReader() {
    assertBound(server.bean(SharedCache.class));
  }

  /** The same check finds a process that shows an item for the whole time once more. */
  @Test
  void item_whoseAgeIsForgotten_isFound() {
    var shared = server.bean(SharedCache.class);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                assertBound(
                    altered(
                        shared,
                        answer ->
                            answer.size() == 3 && (Long) answer.get(2) > 0
                                ? List.of(answer.get(0), answer.get(1), CACHED.toMillis())
                                : answer)));
  }

  /**
   * @param second the cache of the second process
   */
  private void assertBound(SharedCache second) {
    var item = new AtomicInteger(1);
    var reader = process(server.bean(SharedCache.class), item::get);
    var taker = process(second, item::get);

    assertThat(reader.getAll(List.of("id"))).containsEntry("id", 1);
    long read = System.nanoTime();
    item.set(2);
    Polling.until(() -> System.nanoTime() - read > PART.toNanos());
    assertThat(taker.getAll(List.of("id"))).as("from the cache").containsEntry("id", 1);

    Polling.until(() -> System.nanoTime() - read > CACHED.toNanos());
    assertThat(taker.getAll(List.of("id"))).containsEntry("id", 2);
    assertThat(reader.getAll(List.of("id"))).containsEntry("id", 2);
  }

  /** Its reader hung, so what it leaves is older than it may be. */
  @Test
  void item_thatIsLeftLate_isNotShown() {
    var item = new AtomicInteger(1);
    var shared = server.bean(SharedCache.class);
    var hanging =
        process(
            shared,
            () -> {
              int value = item.getAndSet(2);
              long start = System.nanoTime();
              Polling.until(() -> System.nanoTime() - start > CACHED.toNanos());
              return value;
            });

    assertThat(hanging.getAll(List.of("id"))).containsEntry("id", 1);

    assertThat(process(shared, item::get).getAll(List.of("id"))).containsEntry("id", 2);
  }

  /** Its reader hung after the read, while another caller of the process waits for it. */
  @Test
  void item_thatIsHandedOverLate_isNotShown() throws InterruptedException {
    var item = new AtomicInteger(1);
    var isRead = new CountDownLatch(1);
    var goesOn = new CountDownLatch(1);
    var process =
        process(
            altered(
                server.bean(SharedCache.class),
                answer -> {
                  // Only the call that leaves the item has an empty answer.
                  if (answer.isEmpty()) {
                    isRead.countDown();
                    await(goesOn);
                  }
                  return answer;
                }),
            item::get);
    var found = new AtomicReference<Map<String, Integer>>();
    var reader = Thread.ofPlatform().start(() -> process.getAll(List.of("id")));
    await(isRead);
    long read = System.nanoTime();
    item.set(2);
    Polling.until(() -> System.nanoTime() - read > CACHED.toNanos());
    var waiter = Thread.ofPlatform().start(() -> found.set(process.getAll(List.of("id"))));
    Polling.until(() -> waiter.getState() == Thread.State.TIMED_WAITING);

    goesOn.countDown();
    reader.join();
    waiter.join();

    assertThat(found).hasValue(Map.of("id", 2));
  }

  @Test
  void readerThatFails_leavesTheReadToTheNext() {
    var shared = server.bean(SharedCache.class);
    var failing =
        process(
            shared,
            () -> {
              throw new IllegalStateException("planted");
            });

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> failing.getAll(List.of("id")));

    assertThat(process(shared, () -> 2).getAll(List.of("id"))).containsEntry("id", 2);
  }

  @Test
  void missingItem_isNotRemembered() {
    var cache = cache(server.bean(SharedCache.class), CACHED, _ -> Map.of());
    assertThat(cache.getAll(List.of("id"))).isEmpty();

    assertThat(process(server.bean(SharedCache.class), () -> 2).getAll(List.of("id")))
        .containsEntry("id", 2);
  }

  @Test
  void readersOfAMissingItem_readAtOnce() {
    assertReadAtOnce(server.bean(SharedCache.class));
  }

  /** The same check finds readers that take an absent item for a claimed one, and take turns. */
  @Test
  void readersThatTakeTurns_areFound() {
    var shared = server.bean(SharedCache.class);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                assertReadAtOnce(
                    altered(
                        shared,
                        answer ->
                            answer.size() == 3 && (Long) answer.get(2) == -3
                                ? List.of(answer.get(0), "", -2L)
                                : answer)));
  }

  /** None of them ends its read before all have begun, and each asks the cache once. */
  private void assertReadAtOnce(SharedCache shared) {
    assertThat(cache(shared, LONG, _ -> Map.of()).getAll(List.of("id"))).isEmpty();
    var calls = new AtomicInteger();
    var reading = new CountDownLatch(WAITERS);

    var found =
        concurrently(
            () ->
                cache(
                        counting(shared, calls),
                        LONG,
                        _ -> {
                          reading.countDown();
                          await(reading);
                          return Map.of();
                        })
                    .getAll(List.of("id")),
            () -> {});

    assertThat(found).hasSize(WAITERS).allMatch(Map::isEmpty);
    assertThat(calls).hasValue(WAITERS);
  }

  @Test
  void waiters_ofOneProcess_askTheCacheRarely() {
    var calls = new AtomicInteger();
    var process = process(counting(server.bean(SharedCache.class), calls), LONG, () -> 2);

    assertFewCalls(calls, () -> process);
  }

  /** The same check finds waiters that each ask. */
  @Test
  void waitersThatEachAsk_areFound() {
    var calls = new AtomicInteger();
    var shared = counting(server.bean(SharedCache.class), calls);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertFewCalls(calls, () -> process(shared, LONG, () -> 2)));
  }

  /** They wait for a read of another process that takes a while. */
  private void assertFewCalls(AtomicInteger calls, Supplier<HotCache<Integer>> process) {
    var isClaimed = new CountDownLatch(1);
    var isOver = new CountDownLatch(1);
    var reader =
        process(
            server.bean(SharedCache.class),
            LONG,
            () -> {
              isClaimed.countDown();
              await(isOver);
              return 1;
            });
    try (var pool = Executors.newSingleThreadExecutor()) {
      pool.execute(() -> reader.getAll(List.of("id")));
      await(isClaimed);

      var found =
          concurrently(
              () -> process.get().getAll(List.of("id")),
              () -> {
                long start = System.nanoTime();
                Polling.until(() -> System.nanoTime() - start > PART.toNanos());
                isOver.countDown();
              });

      assertThat(found).hasSize(WAITERS).containsOnly(Map.of("id", 1));
    }
    assertThat(calls).hasValueBetween(1, FEW);
  }

  /** Runs a call in several threads, and something else meanwhile. */
  private static <T> List<T> concurrently(Callable<T> call, Runnable meanwhile) {
    try (var pool = Executors.newFixedThreadPool(WAITERS)) {
      var calls = Stream.generate(() -> pool.submit(call)).limit(WAITERS).toList();
      meanwhile.run();
      List<T> results = new ArrayList<>();
      for (var each : calls) {
        results.add(each.get());
      }
      return results;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Of another version, cut off, without an end, and kept for longer than an item. */
  @ParameterizedTest
  @CsvSource({
    "'{\"of\":\"another version\"}', 10000",
    "'{cut', 10000",
    "'\"', 10000",
    "null, 10000",
    "99999999999999999999, 10000",
    "1, 0",
    "1, 3600000"
  })
  void damagedItem_isReadAgain_andReplaced(String item, int millis) {
    var shared = server.bean(SharedCache.class);
    var key = List.of(shared.key("number", "id"));
    shared.run("redis.call('SET', KEYS[1], ARGV[1]) return {}", key, item);
    if (millis > 0) {
      shared.run("redis.call('PEXPIRE', KEYS[1], ARGV[1]) return {}", key, String.valueOf(millis));
    }

    assertThat(process(shared, LONG, () -> 2).getAll(List.of("id"))).containsEntry("id", 2);

    assertThat(process(shared, LONG, () -> 3).getAll(List.of("id"))).containsEntry("id", 2);
    assertThat(shared.isAvailable()).isTrue();
  }

  @Test
  void keyOfAnotherType_isLeftAlone_andTheCacheStays() {
    var shared = server.bean(SharedCache.class);
    var key = List.of(shared.key("number", "id"));
    shared.run("redis.call('HSET', KEYS[1], 'field', 'value') return {}", key);

    assertThat(process(shared, LONG, () -> 2).getAll(List.of("id", "other")))
        .isEqualTo(Map.of("id", 2, "other", 2));

    assertThat(shared.isAvailable()).isTrue();
    assertThat(server.anonymous().get("/metrics").text())
        .containsPattern("feed_cache_errors_total [1-9]");
  }

  @Test
  void post_withAllAttributes_isTheSameAfterTheCache() throws IOException {
    var time = Instant.parse("2026-03-01T12:00:00.123Z");
    var post =
        new Post(
            "id",
            "author",
            "“text” \u0000 ünïcode 😀",
            List.of("a", "b"),
            List.of(new Mention("Ann", "ann")),
            Visibility.FOLLOWERS,
            "media",
            time,
            4,
            FanOutMode.PULL,
            1L << 40,
            -1,
            Map.of("shard", "1"),
            16,
            3L,
            2L,
            List.of(
                new PostMedia("one", "image/png", 9, 3, 2, "A “cat”"),
                new PostMedia("two", "image/gif", 1L << 40, 1, 1, null)));
    var json = server.bean(ObjectMapper.class);

    assertThat(json.readValue(json.writeValueAsString(post), Post.class)).isEqualTo(post);
  }

  private HotCache<Integer> process(SharedCache shared, IntSupplier item) {
    return process(shared, CACHED, item);
  }

  private HotCache<Integer> process(SharedCache shared, Duration cached, IntSupplier item) {
    return cache(
        shared,
        cached,
        ids -> ids.stream().collect(Collectors.toMap(id -> id, _ -> item.getAsInt())));
  }

  private HotCache<Integer> cache(
      SharedCache shared, Duration cached, Function<List<String>, Map<String, Integer>> table) {
    return new HotCaches(
            new CacheConfiguration(cached, 100),
            Ticker.systemTicker(),
            shared,
            server.bean(ObjectMapper.class))
        .of("number", Integer.class, table);
  }

  private static SharedCache counting(SharedCache shared, AtomicInteger calls) {
    return altered(
        shared,
        answer -> {
          calls.incrementAndGet();
          return answer;
        });
  }

  private static SharedCache altered(
      SharedCache shared, Function<List<Object>, List<Object>> change) {
    return new SharedCache() {
      @Override
      public boolean isAvailable() {
        return shared.isAvailable();
      }

      @Override
      public Duration patience() {
        return shared.patience();
      }

      @Override
      public String key(String kind, String id) {
        return shared.key(kind, id);
      }

      @Override
      public Optional<List<Object>> run(String script, List<String> keys, String... arguments) {
        return shared.run(script, keys, arguments).map(change);
      }
    };
  }
}
