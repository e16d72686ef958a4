package social.feed.table.kernel.cost;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Limits the average number of units per second, for bulk reads of a table in use. The cost of a
 * call is known only afterwards, so it is charged then. A caller waits while the balance is
 * negative. After a pause, at most one second's units can be spent at once. Thread-safe.
 */
public final class UnitRateLimiter {
  private static final double NANOS = 1e9;

  private final double unitsPerSecond;
  private final LongSupplier nanoTime;
  private final Consumer<Duration> waiting;
  private double balance;
  private long last;

  /**
   * Creates a limiter with a rate.
   *
   * @param unitsPerSecond the average rate, greater than zero
   */
  public UnitRateLimiter(double unitsPerSecond) {
    this(unitsPerSecond, System::nanoTime, time -> LockSupport.parkNanos(time.toNanos()));
  }

  /**
   * Creates a limiter with its own clock.
   *
   * @param nanoTime the clock
   * @param waiting waits for a duration
   */
  UnitRateLimiter(double unitsPerSecond, LongSupplier nanoTime, Consumer<Duration> waiting) {
    if (!(unitsPerSecond > 0)) {
      throw new IllegalArgumentException(
          "The rate must be greater than zero, but is " + unitsPerSecond);
    }
    this.unitsPerSecond = unitsPerSecond;
    this.nanoTime = nanoTime;
    this.waiting = waiting;
    this.last = nanoTime.getAsLong();
  }

  /** Waits while the balance is negative. */
  public void await() {
    var debt = debt();
    if (debt.isPositive()) {
      waiting.accept(debt);
    }
  }

  /** Charges units that were spent. */
  public synchronized void spend(double units) {
    earn();
    balance -= units;
  }

  private synchronized Duration debt() {
    earn();
    return balance >= 0
        ? Duration.ZERO
        : Duration.ofNanos((long) Math.ceil(-balance / unitsPerSecond * NANOS));
  }

  private void earn() {
    long now = nanoTime.getAsLong();
    balance = Math.min(unitsPerSecond, balance + (now - last) / NANOS * unitsPerSecond);
    last = now;
  }
}
