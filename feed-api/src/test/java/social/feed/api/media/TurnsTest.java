package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/** Each refusal is met from within the work that causes it, so no test waits for another thread. */
class TurnsTest {
  private static AbstractThrowableAssert<?, ?> assertBusy(Turns.Work<?> work) {
    return assertRefused(ProblemCode.MEDIA_BUSY, work);
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(
      ProblemCode expected, Turns.Work<?> work) {
    return assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.code()).isEqualTo(expected));
  }

  private static String never() {
    throw new AssertionError("The work must not run");
  }

  @Test
  void work_whileAnotherHasItsTurn_isRefusedAfterAWait() throws IOException {
    Turns turns = new Turns(2, Duration.ofMillis(1));

    turns.inTurn(
        "ann",
        () ->
            assertBusy(() -> turns.inTurn("bob", TurnsTest::never))
                .hasMessage("Other uploads are being completed"));

    assertThat(turns.inTurn("ann", () -> "next")).isEqualTo("next");
  }

  @Test
  void work_whileTooManyWait_isRefusedAtOnce() throws IOException {
    Turns turns = new Turns(1, Duration.ofDays(1));

    turns.inTurn(
        "ann",
        () ->
            assertBusy(() -> turns.inTurn("bob", TurnsTest::never))
                .hasMessage("Other uploads wait to be completed"));

    assertThat(turns.inTurn("ann", () -> "next")).isEqualTo("next");
  }

  @Test
  void work_ofAnAccountThatWaits_isRefusedAtOnce() throws IOException {
    Turns turns = new Turns(9, Duration.ofMillis(1));

    turns.inTurn(
        "ann",
        () -> {
          assertBusy(() -> turns.inTurn("bob", TurnsTest::never))
              .hasMessage("Other uploads are being completed");
          return assertRefused(
                  ProblemCode.RATE_LIMITED, () -> turns.inTurn("ann", TurnsTest::never))
              .hasMessage("Another upload of the account is being completed");
        });

    assertThat(turns.inTurn("ann", () -> "next")).isEqualTo("next");
  }

  @Test
  void work_onTheSameFile_isRefused() throws IOException {
    Turns turns = new Turns(1, Duration.ofDays(1));

    String other =
        turns.alone(
            "one",
            () -> {
              assertRefused(ProblemCode.RATE_LIMITED, () -> turns.alone("one", TurnsTest::never))
                  .hasMessage("Another request uploads or completes the file");
              return turns.alone("two", () -> "other");
            });

    assertThat(other).isEqualTo("other");
    assertThat(turns.alone("one", () -> "next")).isEqualTo("next");
  }

  @Test
  void work_thatFails_leavesItsTurn() throws IOException {
    Turns turns = new Turns(1, Duration.ofDays(1));
    Turns.Work<String> failing =
        () -> {
          throw new IOException("planted");
        };

    assertThatThrownBy(() -> turns.alone("one", () -> turns.inTurn("ann", failing)))
        .hasMessage("planted");

    assertThat(turns.alone("one", () -> turns.inTurn("ann", () -> "next"))).isEqualTo("next");
  }
}
