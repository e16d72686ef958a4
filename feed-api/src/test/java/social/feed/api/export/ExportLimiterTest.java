package social.feed.api.export;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.testkit.SteppingClock;

class ExportLimiterTest {
  private final SteppingClock clock = new SteppingClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final ExportLimiter limiter = limiter(Duration.ofHours(1));

  private ExportLimiter limiter(Duration againAfter) {
    return new ExportLimiter(
        new ExportConfiguration(2, Duration.ofSeconds(30), Duration.ofMinutes(10), againAfter),
        clock);
  }

  private void assertRefusedFor(ExportLimiter limits, Duration time) {
    clock.advance(time.minusSeconds(1));
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> limits.require("ann"))
        .extracting(ProblemException::code)
        .isEqualTo(ProblemCode.TOO_MANY_EXPORTS);
    clock.advance(Duration.ofSeconds(1));
    assertThatNoException().isThrownBy(() -> limits.acquire("ann"));
  }

  @Test
  void exportThatHasEnded_isRepeatedAnHourAfterItsStart() {
    limiter.acquire("ann");
    clock.advance(Duration.ofMinutes(10));
    limiter.release("ann", false);

    assertRefusedFor(limiter, Duration.ofMinutes(50));
  }

  @Test
  void exportThatTheServerBrokeOff_isRepeatedAMinuteAfterItsEnd() {
    limiter.acquire("ann");
    clock.advance(Duration.ofMinutes(10));
    limiter.release("ann", true);

    assertRefusedFor(limiter, Duration.ofMinutes(1));
  }

  @Test
  void failure_lengthensNoPeriod() {
    ExportLimiter brief = limiter(Duration.ofSeconds(20));
    brief.acquire("ann");
    brief.release("ann", true);

    assertRefusedFor(brief, Duration.ofSeconds(20));
  }
}
