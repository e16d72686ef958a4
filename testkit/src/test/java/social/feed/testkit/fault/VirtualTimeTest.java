package social.feed.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
  private static final Duration SHORT = Duration.ofMillis(30);
  private static final Duration LONG = Duration.ofMillis(50);

  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final List<Duration> passed = new ArrayList<>();

  @Test
  void tasksTogether_takeAsLongAsTheLongest() {
    run(() -> time.runTogether(List.of(task(SHORT), task(LONG))));
    assertThat(passed).containsExactly(SHORT, LONG, LONG);
  }

  @Test
  void failureOfATask_isThrownWhenAllHaveEnded() {
    var thrown = new ArrayList<Throwable>();
    Runnable failing =
        () -> {
          throw new IllegalStateException("planted");
        };
    run(() -> thrown.add(catchThrowable(() -> time.runTogether(List.of(failing, task(LONG))))));
    assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
    assertThat(passed).containsExactly(LONG, LONG);
  }

  private Runnable task(Duration takes) {
    return () -> {
      time.sleep(takes);
      passed.add(time.passed());
    };
  }

  /** Runs an actor, and notes when it ends. */
  private void run(Runnable body) {
    time.start(
        Duration.ZERO,
        () -> {
          body.run();
          passed.add(time.passed());
        });
    time.run(Duration.ofSeconds(1));
    time.close();
  }
}
