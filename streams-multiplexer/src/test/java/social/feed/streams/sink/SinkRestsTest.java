package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.testkit.SteppingClock;

/** When a sink rests, and which message ends its rest. */
class SinkRestsTest {
  private static final String SINK = "sink";

  /** The clock advances with each reading. */
  private static final Duration STEPS = Duration.ofMillis(20);

  /** The longest call that is not slow. */
  private static final Duration QUICK = Duration.ofSeconds(2);

  private final SteppingClock clock = new SteppingClock(Instant.EPOCH);
  private final SinkRests rests = new SinkRests(clock);

  private Duration wait(String sink) {
    return rests.turn(sink).patience();
  }

  /** Returns whether the sink rests because it was slow again. */
  private boolean answer(Duration took) {
    return rests.answered(SINK, rests.turn(SINK), took);
  }

  private void answerQuickly() {
    assertThat(answer(QUICK)).isFalse();
  }

  private void fail() {
    rests.failed(SINK, rests.turn(SINK));
  }

  @Test
  void failuresThatFollowEachOther_restLonger_uptoAMinute() {
    fail();
    assertThat(wait(SINK)).as("after the first one").isZero();

    for (int seconds : List.of(1, 5, 15, 60, 60)) {
      fail();
      assertThat(wait(SINK)).isCloseTo(Duration.ofSeconds(seconds), STEPS);
      assertThat(wait("other")).isZero();
      clock.advance(Duration.ofSeconds(seconds));
    }
  }

  @Test
  void failureBetweenSuccesses_isForgiven() {
    for (int i = 0; i < 5; i++) {
      fail();
      assertThat(wait(SINK)).isZero();
      answerQuickly();
    }
  }

  /** As where a broker is away for a moment while ten messages are published. */
  @Test
  void callsThatFailTogether_areOneFailure() {
    var together = Stream.generate(() -> rests.turn(SINK)).limit(10).toList();

    together.forEach(turn -> rests.failed(SINK, turn));

    assertThat(wait(SINK)).isZero();
    fail();
    assertThat(wait(SINK)).isCloseTo(Duration.ofSeconds(1), STEPS);
  }

  /** As a load balancer with a server that hangs behind it: some calls answer at once. */
  @Test
  void callsThatHang_letTheSinkRest_alsoWhereOthersAnswer() {
    var together = Stream.generate(() -> rests.turn(SINK)).limit(10).toList();
    answerQuickly();
    clock.advance(Duration.ofSeconds(10));

    together.stream().skip(1).forEach(turn -> rests.failed(SINK, turn));

    assertThat(wait(SINK)).isCloseTo(Duration.ofSeconds(1), STEPS);
  }

  @Test
  void oneMessageTriesAfterARest_andTheOthersWait() {
    fail();
    fail();
    clock.advance(Duration.ofSeconds(1));

    var trial = rests.turn(SINK);

    assertThat(trial.patience()).isZero();
    assertThat(wait(SINK)).as("during the trial").isCloseTo(Duration.ofSeconds(15), STEPS);
    rests.notCalled(SINK, trial);
    var next = rests.turn(SINK);
    assertThat(next.patience()).as("another one may try").isZero();
    assertThat(next.isTrial()).as("and the others wait for it").isTrue();
    assertThat(wait(SINK)).isCloseTo(Duration.ofSeconds(15), STEPS);
    assertThat(rests.failed(SINK, next)).isEqualTo(3);
    assertThat(wait(SINK)).isCloseTo(Duration.ofSeconds(5), STEPS);
    answerQuickly();
    assertThat(wait(SINK)).isZero();
  }

  @Test
  void trialThatFails_restsLonger_andALateOneChangesNothing() {
    fail();
    fail();
    clock.advance(Duration.ofSeconds(1));
    var trial = rests.turn(SINK);
    clock.advance(Duration.ofSeconds(15));
    var second = rests.turn(SINK);

    assertThat(rests.failed(SINK, second)).isEqualTo(3);
    assertThat(rests.failed(SINK, trial)).isEqualTo(3);

    assertThat(wait(SINK)).isCloseTo(Duration.ofSeconds(5), STEPS);
  }

  @Test
  void slowAnswersInARow_restAsLongAsTheCall_withoutATrial() {
    assertThat(answer(Duration.ofSeconds(3))).isFalse();
    assertThat(wait(SINK)).as("after the first one").isZero();

    for (int seconds : List.of(3, 10)) {
      var call = Duration.ofSeconds(seconds);
      assertThat(answer(call)).isTrue();
      var turn = rests.turn(SINK);
      assertThat(turn.patience()).isCloseTo(call, STEPS);
      assertThat(turn.isOfSlowSink()).isTrue();
      assertThat(wait("other")).isZero();
      clock.advance(call);
      assertThat(rests.turn(SINK).isTrial()).isFalse();
      assertThat(wait(SINK)).as("for any number of messages").isZero();
    }
  }

  /** As one of a thousand calls, or the first one of a broker. */
  @Test
  void slowAnswerBetweenQuickOnes_isForgiven() {
    for (int i = 0; i < 5; i++) {
      assertThat(answer(Duration.ofSeconds(10))).isFalse();
      assertThat(wait(SINK)).isZero();
      answerQuickly();
    }
  }

  @Test
  void answersThatAreSlowTogether_areOneSlowAnswer() {
    var call = Duration.ofSeconds(10);
    for (boolean rests : List.of(false, true, true)) {
      var together = Stream.generate(() -> this.rests.turn(SINK)).limit(10).toList();
      clock.advance(call);

      together.forEach(turn -> assertThat(this.rests.answered(SINK, turn, call)).isEqualTo(rests));

      assertThat(wait(SINK)).isCloseTo(rests ? call : Duration.ZERO, Duration.ofSeconds(1));
      clock.advance(call);
    }
  }

  /** As the calls of a process that has always some of them. */
  @Test
  void slowAnswersOfCallsThatOverlap_areInARow() {
    var call = Duration.ofSeconds(10);
    var first = rests.turn(SINK);
    var second = rests.turn(SINK);
    assertThat(rests.answered(SINK, first, call)).isFalse();
    var third = rests.turn(SINK);
    assertThat(rests.answered(SINK, second, call)).isFalse();

    assertThat(rests.answered(SINK, third, call)).isTrue();

    assertThat(wait(SINK)).isCloseTo(call, STEPS);
  }

  private void restSlowly(Duration time) {
    assertThat(answer(QUICK.plusMillis(1))).isFalse();
    assertThat(answer(time)).isTrue();
  }

  /** As after a pause of the whole machine. */
  @Test
  void answerAfterHours_restsForAFewSeconds() {
    restSlowly(Duration.ofHours(8));

    assertThat(wait(SINK)).isCloseTo(Duration.ofSeconds(15), STEPS);
  }

  @Test
  void restOfASlowSink_isEndedByNoCallOfBefore() {
    var turn = rests.turn(SINK);
    var rest = Duration.ofSeconds(10);
    restSlowly(rest);

    answerQuickly();
    assertThat(wait(SINK)).isCloseTo(rest, STEPS);
    assertThat(answer(Duration.ofSeconds(3))).isTrue();
    assertThat(wait(SINK)).isCloseTo(rest, STEPS);
    assertThat(rests.failed(SINK, turn)).isEqualTo(1);
    assertThat(wait(SINK)).isCloseTo(rest, STEPS);
    assertThat(rests.turn(SINK).isOfSlowSink()).as("one failure is forgiven").isTrue();
    answerQuickly();
    assertThat(wait(SINK)).as("also by no answer after the failure").isCloseTo(rest, STEPS);
  }

  @Test
  void sinkThatFailsTwiceInTheRestOfASlowOne_isOneThatFails() {
    restSlowly(Duration.ofSeconds(10));
    fail();
    assertThat(rests.turn(SINK).isOfSlowSink()).isTrue();

    fail();

    assertThat(wait(SINK)).isCloseTo(Duration.ofSeconds(10), STEPS);
    assertThat(rests.turn(SINK).isOfSlowSink()).isFalse();
  }

  @Test
  void slowAnswer_endsTheFailuresInARow() {
    fail();
    fail();
    assertThat(answer(Duration.ofSeconds(3))).isFalse();
    assertThat(wait(SINK)).as("it works").isZero();

    fail();

    assertThat(wait(SINK)).as("one failure is forgiven").isZero();
  }
}
