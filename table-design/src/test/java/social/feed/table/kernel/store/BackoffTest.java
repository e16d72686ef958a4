package social.feed.table.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Duration BASE = Duration.ofMillis(25);
  private static final Duration CEILING = Duration.ofSeconds(1);

  private final List<Duration> pauses = new ArrayList<>();

  @Test
  void await_anyAttempt_staysBelowTheDoublingCeiling() {
    var backoff = new Backoff(8, BASE, CEILING, new Random(5), pauses::add);
    for (int failed = 1; failed <= 60; failed++) {
      long ceiling = Math.min(1_000, 25L << Math.min(failed - 1, 10));
      for (int i = 0; i < 100; i++) {
        backoff.await(failed);
        assertThat(pauses.getLast().toMillis()).isBetween(0L, ceiling);
      }
    }
  }

  @Test
  void await_manyTimes_reachesBothEndsOfTheRange() {
    var backoff = new Backoff(8, BASE, CEILING, new Random(5), pauses::add);
    for (int i = 0; i < 2_000; i++) {
      backoff.await(1);
    }

    assertThat(Collections.min(pauses)).isZero();
    assertThat(Collections.max(pauses)).isEqualTo(BASE);
  }

  @Test
  void await_noBase_doesNotPause() {
    new Backoff(1, Duration.ZERO, Duration.ZERO, new Random(1), pauses::add).await(1);

    assertThat(pauses).containsExactly(Duration.ZERO);
  }

  @Test
  void await_interrupted_isThrottledAndStaysInterrupted() {
    var backoff =
        new Backoff(
            8,
            BASE,
            CEILING,
            new Random(5),
            _ -> {
              throw new InterruptedException();
            });

    assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> backoff.await(1));
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void backoff_withoutAttemptOrWithCeilingBelowBase_isRejected() {
    assertThatIllegalArgumentException().isThrownBy(() -> backoff(0, BASE, CEILING));
    assertThatIllegalArgumentException().isThrownBy(() -> backoff(1, CEILING, BASE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> backoff(1, Duration.ofMillis(-1), CEILING));
  }

  @Test
  void standard_eightAttempts_staysWithinFourSeconds() {
    var standard = Backoff.standard();
    long longest = 0;
    for (int failed = 1; failed < standard.attempts(); failed++) {
      longest +=
          Math.min(standard.ceiling().toMillis(), standard.base().toMillis() << (failed - 1));
    }

    assertThat(standard.attempts()).isEqualTo(8);
    assertThat(longest).isLessThan(4_000);
  }

  private static Backoff backoff(int attempts, Duration base, Duration ceiling) {
    return new Backoff(attempts, base, ceiling, new Random(1), _ -> {});
  }
}
