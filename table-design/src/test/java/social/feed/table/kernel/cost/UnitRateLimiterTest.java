package social.feed.table.kernel.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnitRateLimiterTest {
  private final AtomicLong now = new AtomicLong();
  private final List<Duration> waited = new ArrayList<>();
  private final UnitRateLimiter limiter =
      new UnitRateLimiter(
          10,
          now::get,
          time -> {
            waited.add(time);
            now.addAndGet(time.toNanos());
          });

  @Test
  void await_afterOverspending_waitsUntilTheBalanceIsPositive() {
    limiter.await();
    limiter.spend(25);
    limiter.await();
    limiter.await();

    assertThat(waited).containsExactly(Duration.ofMillis(2_500));
  }

  @Test
  void await_manyCalls_keepTheAverageRate() {
    for (int call = 0; call < 100; call++) {
      limiter.await();
      limiter.spend(3);
    }

    assertThat(Duration.ofNanos(now.get()))
        .isBetween(Duration.ofSeconds(29), Duration.ofSeconds(30));
  }

  @Test
  void spend_afterAPause_canUseOneSecondsUnitsAtOnce() {
    now.addAndGet(Duration.ofHours(1).toNanos());
    limiter.spend(10);
    limiter.await();
    assertThat(waited).isEmpty();
    limiter.spend(1);
    limiter.await();

    assertThat(waited).containsExactly(Duration.ofMillis(100));
  }

  @Test
  void limiter_withoutRate_isRejected() {
    assertThatThrownBy(() -> new UnitRateLimiter(0)).hasMessageContaining("greater than zero");
  }
}
