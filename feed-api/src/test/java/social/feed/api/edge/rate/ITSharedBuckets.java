package social.feed.api.edge.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.edge.cache.RedisServer;
import social.feed.api.edge.cache.SharedCache;
import social.feed.api.http.FeedServer;

/** Buckets in a real shared cache. */
@TestInstance(Lifecycle.PER_CLASS)
class ITSharedBuckets {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  /** A debt lasts an hour, so no test is so slow that a token comes back. */
  private static final Refill REFILL = new Refill(1, 5, 3_600);

  private final RedisServer redis = new RedisServer();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
  private FeedServer server;
  private SharedCache shared;

  @BeforeAll
  void start() {
    server = FeedServer.start(settings());
    shared = server.bean(SharedCache.class);
  }

  private Map<String, Object> settings() {
    return Map.of("feed.cache.url", redis.url(), "feed.cache.timeout", "5s");
  }

  @AfterAll
  void stop() {
    server.close();
    redis.close();
  }

  private SharedCache counting() {
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
        calls.incrementAndGet();
        return shared.run(script, keys, arguments);
      }
    };
  }

  private Buckets process() {
    return process(counting());
  }

  private Buckets process(SharedCache cache) {
    return new Buckets("tests", REFILL, 10, now::get, cache);
  }

  @Test
  void callerWithoutTokens_isRefusedWithoutTheCache() {
    var process = process();

    assertRefusedLocally("flooder", () -> process);

    now.set(NOW.plus(Duration.ofHours(2)));
    int before = calls.get();
    assertThat(process.take("flooder").isAdmitted()).as("by the clock of the cache").isFalse();
    assertThat(process.take("flooder").isAdmitted()).isFalse();
    assertThat(calls).as("asked once, and then known again").hasValue(before + 1);
  }

  @Test
  void debt_isKeptInTheCacheUntilItIsPaid() {
    assertThat(process().take("debtor").isAdmitted()).isTrue();
    process().charge("debtor", 1e6);

    var left =
        shared.run("return {redis.call('PTTL', KEYS[1])}", List.of(shared.key("tests", "debtor")));

    assertThat((Long) left.orElseThrow().getFirst()).isGreaterThan(3_500_000);
  }

  /** The same check finds processes that do not know what they saw. */
  @Test
  void refusalsByTheCache_areFound() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertRefusedLocally("other", this::process));
  }

  private void assertRefusedLocally(String caller, Supplier<Buckets> process) {
    assertThat(process.get().take(caller).isAdmitted()).isTrue();
    process.get().charge(caller, 1e6);
    int before = calls.get();
    assertThat(before).isGreaterThanOrEqualTo(2);

    for (int i = 0; i < 20; i++) {
      assertThat(process.get().take(caller).isAdmitted()).isFalse();
    }

    assertThat(calls).hasValue(before);
  }

  /** Servers of two stages may have one cache, and the same callers and posts. */
  @Test
  void bucketOfACaller_atAServerOfAnotherTable_isAnother() {
    process().take("stranger");
    process().charge("stranger", 1e6);
    assertThat(process().take("stranger").isAdmitted()).isFalse();

    try (var other = FeedServer.startApart(settings())) {
      var cache = other.bean(SharedCache.class);
      assertThat(cache.isAvailable()).isTrue();
      assertThat(process(cache).take("stranger").isAdmitted()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "5", "nan nan", "1 nan", "nan 1", "1 2 3", "0x", "-7.5 then"})
  void damagedBucket_isNone(String damaged) {
    shared.run(
        "redis.call('SET', KEYS[1], ARGV[1]) return {}",
        List.of(shared.key("tests", "damaged")),
        damaged);

    var bucket = process().take("damaged");

    assertThat(bucket.isAdmitted()).isTrue();
    assertThat(bucket.remaining()).isEqualTo(4);
    assertThat(shared.isAvailable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-inf 0", "inf inf", "1e300 -1e300", "-1e300 1e300"})
  void bucketOutOfBounds_isHeldWithinThem(String damaged) {
    shared.run(
        "redis.call('SET', KEYS[1], ARGV[1]) return {}",
        List.of(shared.key("tests", "bounds")),
        damaged);

    assertThat(process().take("bounds").tokens()).isBetween(-3_600.0, 5.0);
    assertThat(shared.isAvailable()).isTrue();
  }

  @Test
  void keyOfAnotherType_isLeftAlone_andTheCacheStays() {
    shared.run(
        "redis.call('HSET', KEYS[1], 'field', 'value') return {}",
        List.of(shared.key("tests", "typed")));
    var process = process();

    for (int i = 0; i < 5; i++) {
      assertThat(process.take("typed").isAdmitted()).isTrue();
    }

    assertThat(process.take("typed").isAdmitted()).as("limited by its own bucket").isFalse();
    assertThat(shared.isAvailable()).isTrue();
  }
}
