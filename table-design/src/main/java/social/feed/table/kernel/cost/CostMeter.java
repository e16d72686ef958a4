package social.feed.table.kernel.cost;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * Adds up the cost of the calls of one request. A meter is bound to a thread. A call on another
 * thread counts only when the meter is bound to that thread too.
 */
public final class CostMeter {
  /** Bound to a thread without measurement. */
  private static final CostMeter UNMEASURED = new CostMeter();

  private static final ThreadLocal<CostMeter> BOUND = ThreadLocal.withInitial(() -> UNMEASURED);

  private ConsumedUnits consumed = ConsumedUnits.NONE;
  private boolean used;

  /** Returns the units reported so far. */
  public synchronized ConsumedUnits consumed() {
    return consumed;
  }

  /** Returns whether the table was called at all, including calls that failed or cost nothing. */
  public synchronized boolean isUsed() {
    return used;
  }

  /** Returns the meter of the current thread, for other threads that work on its behalf. */
  public static CostMeter current() {
    return Objects.requireNonNull(BOUND.get());
  }

  /**
   * Binds this meter to the current thread and returns the previous one, which the caller must bind
   * again.
   */
  public CostMeter bind() {
    var before = Objects.requireNonNull(BOUND.get());
    BOUND.set(this);
    return before;
  }

  /** Returns the result of a computation on this thread and adds its cost to this meter. */
  public <T> T measure(Supplier<T> computation) {
    var before = bind();
    try {
      return computation.get();
    } finally {
      before.bind();
    }
  }

  static void reportCall() {
    var meter = BOUND.get();
    if (meter != null && meter != UNMEASURED) {
      meter.use();
    }
  }

  static void report(ConsumedUnits units) {
    var meter = BOUND.get();
    if (meter != null && meter != UNMEASURED) {
      meter.add(units);
    }
  }

  private synchronized void use() {
    used = true;
  }

  private synchronized void add(ConsumedUnits units) {
    consumed = consumed.plus(units);
  }
}
