package social.feed.table.kernel.cost;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * So many units a second on average, for what reads much of a table that others are using. A call
 * is not told beforehand what it will cost, so it is paid for afterwards: who comes while there is
 * debt waits until it is paid. After a pause at most one second's units can be spent at once.
 * Thread-safe.
 */
public final class UnitRateLimiter {
  private static final double NANOS = 1e9;

  private final double unitsPerSecond;
  private final LongSupplier nanoTime;
  private final Consumer<Duration> waiting;
  private double balance;
  private long last;

  /** At most so many units a second. */
  public UnitRateLimiter(double unitsPerSecond) {
    this(unitsPerSecond, System::nanoTime, time -> LockSupport.parkNanos(time.toNanos()));
  }

  /**
   * @param waiting is called with how long to wait
   */
  UnitRateLimiter(double unitsPerSecond, LongSupplier nanoTime, Consumer<Duration> waiting) {
    if (!(unitsPerSecond > 0)) {
      throw new IllegalArgumentException("A pace is more than nothing: " + unitsPerSecond);
    }
    this.unitsPerSecond = unitsPerSecond;
    this.nanoTime = nanoTime;
    this.waiting = waiting;
    this.last = nanoTime.getAsLong();
  }

  /** Waits while more was spent than there was. */
  void await() {
    var debt = debt();
    if (debt.isPositive()) {
      waiting.accept(debt);
    }
  }

  synchronized void spend(double units) {
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
