package social.feed.table.kernel.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.Key;

/**
 * Adds up the cost of the calls of one request, and notes the items that it wrote. A meter is bound
 * to a thread. A call on another thread counts only when the meter is bound to that thread too.
 */
public final class CostMeter {
  /** The most items that are noted by default; more than a request of the API writes. */
  private static final int WRITTEN = 50;

  /** Bound to a thread without measurement. */
  private static final CostMeter UNMEASURED = new CostMeter();

  private static final ThreadLocal<CostMeter> BOUND = ThreadLocal.withInitial(() -> UNMEASURED);

  /** What this meter measures counts for the whole as well; null without one. */
  private final @Nullable CostMeter whole;

  private ConsumedUnits consumed = ConsumedUnits.NONE;
  private boolean used;
  private final List<Key> written = new ArrayList<>();
  private int omitted;
  private final int writtenMax;
  private final Predicate<Key> noted;

  /** Creates a meter that notes the first {@value #WRITTEN} written items. */
  public CostMeter() {
    this(WRITTEN, _ -> true);
  }

  /**
   * @param writtenMax the most written items that are noted
   * @param noted returns whether a written item is noted
   */
  public CostMeter(int writtenMax, Predicate<Key> noted) {
    this(writtenMax, noted, null);
  }

  private CostMeter(int writtenMax, Predicate<Key> noted, @Nullable CostMeter whole) {
    this.writtenMax = writtenMax;
    this.noted = noted;
    this.whole = whole;
  }

  /** Returns a meter for a part of what the meter of the current thread measures. */
  public static CostMeter ofPart() {
    return new CostMeter(WRITTEN, _ -> true, current());
  }

  /** Returns the units reported so far. */
  public synchronized ConsumedUnits consumed() {
    return consumed;
  }

  /** Returns whether the table was called at all, including calls that failed or cost nothing. */
  public synchronized boolean isUsed() {
    return used;
  }

  /** Returns the keys of the noted items that were put, updated or deleted, the first ones. */
  public synchronized List<Key> written() {
    return List.copyOf(written);
  }

  /** Returns how many more such items were written than are noted. An item counts each time. */
  public synchronized int omitted() {
    return omitted;
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

  /** Notes written items, where a meter is bound. */
  public static void reportWritten(Supplier<List<Key>> items) {
    var meter = BOUND.get();
    if (meter != null && meter != UNMEASURED) {
      meter.add(items);
    }
  }

  private synchronized void add(Supplier<List<Key>> items) {
    for (var item : items.get()) {
      if (noted.test(item)) {
        if (written.size() < writtenMax) {
          written.add(item);
        } else {
          omitted++;
        }
      }
    }
    if (whole != null) {
      whole.add(items);
    }
  }

  private synchronized void use() {
    used = true;
    if (whole != null) {
      whole.use();
    }
  }

  private synchronized void add(ConsumedUnits units) {
    consumed = consumed.plus(units);
    if (whole != null) {
      whole.add(units);
    }
  }
}
