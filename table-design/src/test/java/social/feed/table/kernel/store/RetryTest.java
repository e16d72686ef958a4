package social.feed.table.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryTest {
  private static final Duration BASE = Duration.ofMillis(25);
  private static final Duration CEILING = Duration.ofSeconds(1);

  private final List<Duration> pauses = new ArrayList<>();

  @Test
  void await_anyAttempt_staysBelowTheDoublingCeiling() {
    var retry = new Retry(8, BASE, CEILING, new Random(5), pauses::add);
    for (int failed = 1; failed <= 60; failed++) {
      long ceiling = Math.min(1_000, 25L << Math.min(failed - 1, 10));
      for (int i = 0; i < 100; i++) {
        retry.await(failed);
        assertThat(pauses.getLast().toMillis()).isBetween(0L, ceiling);
      }
    }
  }

  @Test
  void await_manyTimes_reachesBothEndsOfTheRange() {
    var retry = new Retry(8, BASE, CEILING, new Random(5), pauses::add);
    for (int i = 0; i < 2_000; i++) {
      retry.await(1);
    }

    assertThat(Collections.min(pauses)).isZero();
    assertThat(Collections.max(pauses)).isEqualTo(BASE);
  }

  @Test
  void await_noBase_doesNotPause() {
    new Retry(1, Duration.ZERO, Duration.ZERO, new Random(1), pauses::add).await(1);

    assertThat(pauses).containsExactly(Duration.ZERO);
  }

  @Test
  void await_interrupted_isThrottledAndStaysInterrupted() {
    var retry =
        new Retry(
            8,
            BASE,
            CEILING,
            new Random(5),
            _ -> {
              throw new InterruptedException();
            });

    assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> retry.await(1));
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void retry_withoutAttemptOrWithCeilingBelowBase_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> retry(0, BASE, CEILING));
    assertThatIllegalArgumentException().isThrownBy(() -> retry(1, CEILING, BASE));
    assertThatIllegalArgumentException().isThrownBy(() -> retry(1, Duration.ofMillis(-1), CEILING));
  }

  @Test
  void standard_eightAttempts_staysWithinFourSeconds() {
    var standard = Retry.standard();
    long longest = 0;
    for (int failed = 1; failed < standard.attempts(); failed++) {
      longest +=
          Math.min(standard.ceiling().toMillis(), standard.base().toMillis() << (failed - 1));
    }

    assertThat(standard.attempts()).isEqualTo(8);
    assertThat(longest).isLessThan(4_000);
  }

  @Test
  void until_thirdAttemptHasAResult_returnsItAfterTwoPauses() {
    var retry = new Retry(3, BASE, CEILING, new Random(5), pauses::add);

    var result =
        retry.until("test", attempt -> attempt == 3 ? Optional.of("done") : Optional.empty());

    assertThat(result).isEqualTo("done");
    assertThat(pauses).hasSize(2);
  }

  @Test
  void until_noAttemptHasAResult_isThrottledWithoutAPauseAfterTheLast() {
    var retry = new Retry(3, BASE, CEILING, new Random(5), pauses::add);

    assertThatExceptionOfType(ThrottledException.class)
        .isThrownBy(() -> retry.until("test", () -> Optional.empty()))
        .withMessageContaining("3 attempts");
    assertThat(pauses).hasSize(2);
  }

  @Test
  void onRest_leftovers_areTheInputOfTheNextAttempt() {
    var inputs = new ArrayList<List<Integer>>();

    retry(3, BASE, CEILING)
        .onRest(
            "test",
            List.of(1, 2, 3),
            left -> {
              inputs.add(left);
              return left.size() > 1 ? Optional.of(left.subList(1, left.size())) : Optional.empty();
            });

    assertThat(inputs).containsExactly(List.of(1, 2, 3), List.of(2, 3), List.of(3));
  }

  @Test
  void onRest_lastAttemptLeavesItems_isThrottledAndCountsThem() {
    assertThatExceptionOfType(ThrottledException.class)
        .isThrownBy(() -> retry(2, BASE, CEILING).onRest("test", List.of(1, 2), Optional::of))
        .withMessageContaining("2 items unprocessed after 2 attempts");
  }

  @Test
  void withoutPauses_anyAttempt_doesNotWait() {
    var retry = new Retry(3, BASE, CEILING, new Random(5), pauses::add).withoutPauses();

    assertThatExceptionOfType(ThrottledException.class)
        .isThrownBy(() -> retry.until("test", () -> Optional.empty()));
    assertThat(pauses).isEmpty();
  }

  private static Retry retry(int attempts, Duration base, Duration ceiling) {
    return new Retry(attempts, base, ceiling, new Random(1), _ -> {});
  }
}
