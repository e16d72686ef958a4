package social.feed.api.edge.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.HttpMethod;
import io.micronaut.http.simple.SimpleHttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.api.edge.cache.SharedCache;
import social.feed.table.kernel.cost.ConsumedUnits;

class TokenBucketTest {
  private static final RateConfiguration CONFIGURATION =
      new RateConfiguration(2, 5, 3, 10, 10, null);
  private static final Refill RATE = CONFIGURATION.refill();
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00Z");

  private static TokenBucket take(TokenBucket bucket, int times, Instant now) {
    TokenBucket left = bucket;
    for (int i = 0; i < times; i++) {
      left = left.after(RATE, 1, now);
    }
    return left;
  }

  @Test
  void burst_isAdmittedAndNoMore() {
    TokenBucket empty = take(TokenBucket.full(RATE, NOW), 5, NOW);

    assertThat(empty.isAdmitted()).isTrue();
    assertThat(empty.remaining()).isZero();
    assertThat(empty.after(RATE, 1, NOW).isAdmitted()).isFalse();
    assertThat(empty.untilNext(RATE)).isEqualTo(Duration.ofMillis(500));
    assertThat(empty.untilFull(RATE)).isEqualTo(Duration.ofMillis(2_500));
  }

  @Test
  void refusal_costsNothing() {
    TokenBucket refused = take(TokenBucket.full(RATE, NOW), 500, NOW);

    assertThat(refused.after(RATE, 1, NOW.plusMillis(499)).isAdmitted()).isFalse();
    assertThat(refused.after(RATE, 1, NOW.plusMillis(500)).isAdmitted()).isTrue();
  }

  @Test
  void pause_refillsUpToTheBurst() {
    TokenBucket empty = take(TokenBucket.full(RATE, NOW), 5, NOW);

    assertThat(empty.after(RATE, 1, NOW.plusSeconds(1)).remaining()).isEqualTo(1);
    assertThat(empty.after(RATE, 1, NOW.plusSeconds(3_600)).remaining()).isEqualTo(4);
  }

  @Test
  void charge_leavesADebtOfFiftyBurstsAtMost() {
    TokenBucket charged = TokenBucket.full(RATE, NOW).charged(RATE, 7);

    assertThat(charged.remaining()).isZero();
    assertThat(charged.after(RATE, 1, NOW.plusMillis(1_499)).isAdmitted()).isFalse();
    assertThat(charged.after(RATE, 1, NOW.plusMillis(1_500)).isAdmitted()).isTrue();
    assertThat(TokenBucket.full(RATE, NOW).charged(RATE, 1e9).tokens()).isEqualTo(-250);
    assertThat(RATE.longestDebt()).isEqualTo(Duration.ofSeconds(125));
  }

  @Test
  void waits_dependOnWhatIsLeft() {
    TokenBucket one = take(TokenBucket.full(RATE, NOW), 1, NOW);

    assertThat(one.untilNext(RATE)).isZero();
    assertThat(one.untilFull(RATE)).isEqualTo(Duration.ofMillis(500));
    assertThat(one.charged(RATE, 6).untilNext(RATE)).isEqualTo(Duration.ofMillis(1_500));
    assertThat(one.charged(RATE, 6).untilFull(RATE)).isEqualTo(Duration.ofMillis(3_500));
  }

  @Test
  void change_isAdmittedWhileThereIsAToken_andLeavesADebtOfFiftyBurstsAtMost() {
    TokenBucket one = TokenBucket.full(RATE, NOW).after(RATE, 4, NOW);

    assertThat(one.after(RATE, 3, NOW).isAdmitted()).isTrue();
    assertThat(one.after(RATE, 3, NOW).tokens()).isEqualTo(-2);
    assertThat(one.after(RATE, 3, NOW).after(RATE, 3, NOW).isAdmitted()).isFalse();
    assertThat(one.after(RATE, 3, NOW).after(RATE, 3, NOW).tokens()).isEqualTo(-2);
    assertThat(one.after(RATE, 1e9, NOW).tokens()).isEqualTo(-250);
  }

  @Test
  void response_countsAsItsRequest_upToItsUnits() {
    assertThat(CONFIGURATION.requests(HttpMethod.GET)).isEqualTo(1);
    assertThat(CONFIGURATION.requests(HttpMethod.HEAD)).isEqualTo(1);
    assertThat(CONFIGURATION.moreRequests(1, new ConsumedUnits(6, 4))).isZero();
    assertThat(CONFIGURATION.moreRequests(1, new ConsumedUnits(40, 5))).isEqualTo(3.5);
  }

  @ParameterizedTest
  @EnumSource(names = {"POST", "PUT", "PATCH", "DELETE"})
  void change_countsAsSeveralRequests_upToItsUnits(HttpMethod method) {
    assertThat(CONFIGURATION.requests(method)).isEqualTo(3);
    assertThat(CONFIGURATION.moreRequests(3, new ConsumedUnits(20, 10))).isZero();
    assertThat(CONFIGURATION.moreRequests(3, new ConsumedUnits(40, 5))).isEqualTo(1.5);
  }

  @Test
  void clock_thatGoesBack_refillsNothing_andGoesOnFromThere() {
    TokenBucket empty = take(TokenBucket.full(RATE, NOW), 5, NOW);

    TokenBucket earlier = empty.after(RATE, 1, NOW.minusSeconds(60));

    assertThat(earlier.isAdmitted()).isFalse();
    Instant back = NOW.minusSeconds(60);
    assertThat(earlier.after(RATE, 1, back.plusMillis(499)).isAdmitted()).isFalse();
    assertThat(earlier.after(RATE, 1, back.plusMillis(500)).isAdmitted()).isTrue();
  }

  /** Also one who is refused without asking. */
  @Test
  void callerWithoutTokens_whileTheClockGoesBack_waitsNoLonger() {
    var now = new AtomicReference<>(NOW);
    var buckets = new Buckets("kind", RATE, 10, now::get, SharedCache.NONE);
    for (int i = 0; i < 6; i++) {
      buckets.take("ann");
    }
    Instant back = NOW.minusSeconds(600);
    now.set(back);
    assertThat(buckets.take("ann").isAdmitted()).isFalse();

    now.set(back.plusMillis(500));

    assertThat(buckets.take("ann").isAdmitted()).isTrue();
    assertThat(buckets.take("ann").isAdmitted()).isFalse();
  }

  /** An event loop that looked before must not wait for it. */
  @Test
  void cacheThatAnswersFromNowOn_isUsedByTheNextStep() {
    var looks = new AtomicInteger();
    var asked = new AtomicInteger();
    var cache =
        new SharedCache() {
          @Override
          public boolean isAvailable() {
            return looks.getAndIncrement() > 0;
          }

          @Override
          public Duration patience() {
            return Duration.ZERO;
          }

          @Override
          public String key(String kind, String id) {
            return id;
          }

          @Override
          public Optional<List<Object>> run(String script, List<String> keys, String... arguments) {
            asked.incrementAndGet();
            return Optional.empty();
          }
        };
    var buckets = new TokenBuckets(CONFIGURATION, InstantSource.fixed(NOW), cache, Runnable::run);
    var request = new SimpleHttpRequest<>(HttpMethod.GET, "/", null);

    var first = buckets.run(mayWait -> buckets.take(request, "ann", mayWait), request);

    assertThat(first).isNull();
    assertThat(asked).hasValue(0);
    buckets.run(mayWait -> buckets.take(request, "ann", mayWait), request);
    assertThat(asked).hasValue(1);
  }

  @Test
  void callers_haveBucketsOfTheirOwn() {
    var buckets = new Buckets("kind", RATE, 10, InstantSource.fixed(NOW), SharedCache.NONE);

    for (int i = 0; i < 9; i++) {
      buckets.take("ann");
    }

    assertThat(buckets.take("ann").isAdmitted()).isFalse();
    assertThat(buckets.take("bob").remaining()).isEqualTo(4);
  }
}
