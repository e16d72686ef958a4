package social.feed.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for something that reports no change. Between two checks the processor is left to what the
 * test waits for, which often runs in another process.
 */
public final class Polling {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_CHECKS = Duration.ofMillis(10);

  /** Short enough for a state that lasts for some tenths of a second. */
  private static final Duration LONGEST = Duration.ofMillis(100);

  /** A check may cost a request to another process, so a long wait has fewer of them. */
  private static final int SHARE = 20;

  private Polling() {}

  /** Returns when a condition holds, or later by a twentieth of the wait and at most 0.1 s. */
  public static void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long waited = System.nanoTime() - start;
      if (waited > PATIENCE.toNanos()) {
        throw new AssertionError("Timed out after " + PATIENCE);
      }
      LockSupport.parkNanos(
          Math.clamp(waited / SHARE, BETWEEN_CHECKS.toNanos(), LONGEST.toNanos()));
    }
  }

  /** Waits as long as between two early checks. */
  public static void pause() {
    LockSupport.parkNanos(BETWEEN_CHECKS.toNanos());
  }
}
