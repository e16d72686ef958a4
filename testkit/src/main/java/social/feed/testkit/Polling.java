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

  private Polling() {}

  /** Returns when a condition holds. */
  public static void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new AssertionError("Timed out after " + PATIENCE);
      }
      pause();
    }
  }

  /** Waits as long as between two checks. */
  public static void pause() {
    LockSupport.parkNanos(BETWEEN_CHECKS.toNanos());
  }
}
