package social.feed.streams.sink;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which sinks rest in this process. A sink that failed twice in a row rests: its messages wait
 * without a try, so that a slow sink does not take the time of the others. After its rest one
 * message tries whether it works again, and the others wait for that. So a sink that hangs takes
 * one call of each rest. One quick failure in between is no reason to rest, and calls that fail
 * together count as one failure.
 *
 * <p>A sink that answers slowly has not failed. After two slow answers in a row, and each further
 * one, it rests for as long as its call took. So it takes about half of the time, and more only
 * where a message has waited for a day, which is not made to wait for such a rest. One slow answer
 * in between is no reason to rest, such as the first one of a broker, and answers that are slow
 * together count as one.
 */
final class SinkRests {
  /** How long a sink rests after its second failure and each further one. */
  private static final List<Duration> RESTS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofSeconds(60));

  /** The failures in a row without a rest, and the slow answers in a row. */
  private static final int FORGIVEN = 1;

  /** A call that took longer is no quick one: the sink may hang for a part of its calls. */
  private static final Duration QUICK = Duration.ofSeconds(2);

  /** Longer than a call of a publisher takes. */
  private static final Duration TRIAL = Duration.ofSeconds(15);

  private final Clock clock;
  private final Map<String, Rest> resting = new ConcurrentHashMap<>();

  /**
   * A sink that failed some times in a row, or answered slowly.
   *
   * @param failures none for one that answered
   * @param slow the slow answers in a row
   * @param until when a message may try it again
   */
  record Rest(int failures, int slow, Instant until) {
    /** Whether it rests, if it does, because it is slow. */
    boolean isOfSlowSink() {
      return failures <= FORGIVEN;
    }
  }

  /**
   * What a message does now.
   *
   * @param patience how long it waits; zero for one that is published
   * @param seen the failures of the sink as they were when its call began, or its wait
   * @param isTrial whether the others wait for its call
   * @param begin when it was decided
   */
  record Turn(Duration patience, Optional<Rest> seen, boolean isTrial, Instant begin) {
    /** Whether the sink rests although it works. */
    boolean isOfSlowSink() {
      return seen.filter(Rest::isOfSlowSink).isPresent();
    }
  }

  SinkRests(Clock clock) {
    this.clock = clock;
  }

  /** Returns what a message of a sink does now. A trial must end by one of the other methods. */
  Turn turn(String sink) {
    var rest = resting.get(sink);
    var now = clock.instant();
    if (rest != null && rest.until().isAfter(now)) {
      return new Turn(Duration.between(now, rest.until()), Optional.of(rest), false, now);
    }
    if (rest == null || rest.isOfSlowSink()) {
      return new Turn(Duration.ZERO, Optional.ofNullable(rest), false, now);
    }
    var trial = new Rest(rest.failures(), rest.slow(), now.plus(TRIAL));
    return resting.replace(sink, rest, trial)
        ? new Turn(Duration.ZERO, Optional.of(trial), true, now)
        : new Turn(TRIAL, Optional.empty(), false, now);
  }

  /**
   * The sink has answered, so it works.
   *
   * @param took the time of the call
   * @return whether it was slow again, so that the sink rests
   */
  boolean answered(String sink, Turn turn, Duration took) {
    boolean isSlow = took.compareTo(QUICK) > 0;
    var rest =
        resting.compute(
            sink, (_, before) -> isSlow ? afterSlow(before, turn, took) : afterQuick(before));
    return isSlow && rest != null && rest.slow() > FORGIVEN;
  }

  /** A call that began before the rest of a slow sink does not end it. */
  private @Nullable Rest afterQuick(@Nullable Rest before) {
    var now = clock.instant();
    var until = slowUntil(before, now);
    return before != null && until.isAfter(now) ? new Rest(0, before.slow(), until) : null;
  }

  /** A slow answer that another call has noted meanwhile is the same one. */
  private Rest afterSlow(@Nullable Rest before, Turn turn, Duration took) {
    var now = clock.instant();
    var until = slowUntil(before, now);
    int known = before == null ? 0 : before.slow();
    boolean isKnown = known > 0 && !Objects.equals(before, turn.seen().orElse(null));
    int slow = isKnown ? known : known + 1;
    return slow <= FORGIVEN
        ? new Rest(0, slow, until)
        : new Rest(0, slow, latest(until, now.plus(Collections.min(List.of(took, TRIAL)))));
  }

  /** Returns when the rest of a slow sink ends, or ended; now for one that has none. */
  private static Instant slowUntil(@Nullable Rest before, Instant now) {
    return before != null && before.isOfSlowSink() ? before.until() : now;
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** The sink was not called after all. Lets the next message try it. */
  void notCalled(String sink, Turn turn) {
    if (turn.isTrial()) {
      turn.seen()
          .ifPresent(
              trial ->
                  resting.replace(
                      sink, trial, new Rest(trial.failures(), trial.slow(), clock.instant())));
    }
  }

  /** A call has failed. Returns the failures in a row. */
  int failed(String sink, Turn turn) {
    var rest = resting.compute(sink, (_, before) -> after(before, turn));
    return rest == null ? 0 : rest.failures();
  }

  /** A failure that another call has noted meanwhile is the same one. */
  private Rest after(@Nullable Rest before, Turn turn) {
    if (before != null
        && before.failures() > 0
        && !Objects.equals(before, turn.seen().orElse(null))) {
      return before;
    }
    var now = clock.instant();
    boolean isQuick = !now.isAfter(turn.begin().plus(QUICK));
    int failures = Math.max(before == null ? 1 : before.failures() + 1, isQuick ? 1 : FORGIVEN + 1);
    var rest =
        failures <= FORGIVEN
            ? Duration.ZERO
            : RESTS.get(Math.min(failures - FORGIVEN, RESTS.size()) - 1);
    return new Rest(
        failures,
        before == null ? 0 : before.slow(),
        latest(slowUntil(before, now), now.plus(rest)));
  }
}
