package social.feed.table.kernel.cost;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * Adds up what the calls of one request cost. A meter is bound to a thread; a call that is made on
 * another thread counts there only when that thread was bound as well.
 */
public final class CostMeter {
  /** Bound where nobody measures. */
  private static final CostMeter NOBODY = new CostMeter();

  private static final ThreadLocal<CostMeter> BOUND = ThreadLocal.withInitial(() -> NOBODY);

  private ConsumedUnits consumed = ConsumedUnits.NONE;
  private boolean used;

  /** What was reported so far. */
  public synchronized ConsumedUnits consumed() {
    return consumed;
  }

  /** Whether anything was asked of the table, also where that was refused or cost nothing. */
  public synchronized boolean isUsed() {
    return used;
  }

  /** The meter of the current thread, for those that work for it. */
  public static CostMeter current() {
    return Objects.requireNonNull(BOUND.get());
  }

  /** Makes this the meter of the current thread and returns the one before, to be bound again. */
  public CostMeter bind() {
    var before = Objects.requireNonNull(BOUND.get());
    BOUND.set(this);
    return before;
  }

  /** The result of a computation on this thread, with what it cost added to this meter. */
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
    if (meter != null && meter != NOBODY) {
      meter.use();
    }
  }

  static void report(ConsumedUnits units) {
    var meter = BOUND.get();
    if (meter != null && meter != NOBODY) {
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
