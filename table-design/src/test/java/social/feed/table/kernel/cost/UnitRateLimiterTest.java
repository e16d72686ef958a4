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
  private final UnitRateLimiter pace =
      new UnitRateLimiter(
          10,
          now::get,
          time -> {
            waited.add(time);
            now.addAndGet(time.toNanos());
          });

  @Test
  void whoSpentMoreThanThereWas_waitsUntilItIsPaid() {
    pace.await();
    pace.spend(25);
    pace.await();
    pace.await();

    assertThat(waited).containsExactly(Duration.ofMillis(2_500));
  }

  @Test
  void onAverage_noMoreIsSpentThanThePaceAllows() {
    for (int call = 0; call < 100; call++) {
      pace.await();
      pace.spend(3);
    }

    assertThat(Duration.ofNanos(now.get()))
        .isBetween(Duration.ofSeconds(29), Duration.ofSeconds(30));
  }

  @Test
  void afterAPause_oneSecondsUnitsCanBeSpentAtOnce() {
    now.addAndGet(Duration.ofHours(1).toNanos());
    pace.spend(10);
    pace.await();
    assertThat(waited).isEmpty();
    pace.spend(1);
    pace.await();

    assertThat(waited).containsExactly(Duration.ofMillis(100));
  }

  @Test
  void paceOfNothing_isRefused() {
    assertThatThrownBy(() -> new UnitRateLimiter(0)).hasMessageContaining("more than nothing");
  }
}
