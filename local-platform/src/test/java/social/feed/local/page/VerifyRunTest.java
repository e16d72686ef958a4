package social.feed.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.local.page.TableVerifier.CheckResult;
import social.feed.testkit.Polling;

class VerifyRunTest {
  private static String stateOf(VerifyRun run) {
    return run.status().state();
  }

  @Test
  void run_withoutAVerifier_isUnavailable() {
    assertThat(new VerifyRun().start().state()).isEqualTo("unavailable");
  }

  @ParameterizedTest
  @ValueSource(classes = {StackOverflowError.class, IllegalStateException.class})
  void run_thatFails_saysSo_andIsFollowedByAnother(Class<? extends Throwable> kind) {
    var isFaulty = new AtomicBoolean(true);
    var run = new VerifyRun();
    run.provide(
        progress -> {
          progress.accept(1);
          if (isFaulty.get() && kind == StackOverflowError.class) {
            throw new StackOverflowError("planted");
          }
          if (isFaulty.get()) {
            throw new IllegalStateException("planted");
          }
          return List.of(new CheckResult("counts", 7, 0, List.of()));
        });

    assertThat(run.start().state()).isEqualTo("running");
    Polling.until(() -> stateOf(run).equals("failed"));
    assertThat(run.status().problem()).contains(kind.getName(), "planted");

    isFaulty.set(false);
    run.start();
    Polling.until(() -> stateOf(run).equals("done"));
    assertThat(run.status().rows()).isEqualTo(7);
  }
}
