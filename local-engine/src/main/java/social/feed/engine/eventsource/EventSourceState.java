package social.feed.engine.eventsource;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What all threads of an event source have to agree on: which calls run, whether deliveries are
 * paused, and what came after what. Ticks order events across threads without a clock: a poll that
 * started at a later tick than a call ended at has seen that call's writes.
 */
final class EventSourceState {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long tick;
  private long lastEnd;
  private long wakes;
  private int running;
  private int drains;
  private boolean paused;

  long tick() {
    return locked(() -> ++tick);
  }

  /** Waits while paused, then counts a call as running until {@link #end}. */
  void begin(BooleanSupplier stopped) {
    lock.lock();
    try {
      while (paused && !stopped.getAsBoolean()) {
        changed.awaitUninterruptibly();
      }
      if (stopped.getAsBoolean()) {
        throw new StoppedException();
      }
      running++;
    } finally {
      lock.unlock();
    }
  }

  /** The call's writes are there: those who wait for records look again. */
  void end() {
    locked(
        () -> {
          running--;
          lastEnd = ++tick;
          return signalWake();
        });
  }

  /** Cuts short every wait for records. */
  void wake() {
    locked(this::signalWake);
  }

  /** For threads that wait for quiet; it triggers no poll. */
  void signalQuiet() {
    locked(
        () -> {
          changed.signalAll();
          return drains;
        });
  }

  private long signalWake() {
    changed.signalAll();
    return ++wakes;
  }

  /** Read it before looking for records, so that a wake in between is not missed. */
  long wakes() {
    return locked(() -> wakes);
  }

  /** Waits until the time is over, a wake after {@code seen}, or stopped. */
  void awaitWake(Duration longest, long seen, BooleanSupplier stopped) {
    await(longest, () -> wakes != seen || stopped.getAsBoolean());
  }

  /** Waits until the time is over; throws when stopped. */
  void awaitTime(Duration time, BooleanSupplier stopped) {
    await(time, stopped);
    if (stopped.getAsBoolean()) {
      throw new StoppedException();
    }
  }

  boolean await(Duration longest, BooleanSupplier until) {
    long left = longest.toNanos();
    lock.lock();
    try {
      while (left > 0 && !until.getAsBoolean()) {
        left = changed.awaitNanos(left);
      }
      return until.getAsBoolean();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when no call runs any more. */
  void pause() {
    lock.lock();
    try {
      paused = true;
      while (running > 0) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  void resume() {
    locked(
        () -> {
          paused = false;
          return signalWake();
        });
  }

  boolean isPaused() {
    return locked(() -> paused);
  }

  /** During a drain no shard waits for a batch to fill. */
  void drainStarted() {
    locked(() -> drains++);
  }

  void drainEnded() {
    locked(() -> drains--);
  }

  boolean isDraining() {
    return locked(() -> drains > 0);
  }

  /** The tick that a poll has to be later than to have seen all effects; none while a call runs. */
  long quietSince() {
    return locked(() -> running > 0 ? Long.MAX_VALUE : lastEnd);
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
