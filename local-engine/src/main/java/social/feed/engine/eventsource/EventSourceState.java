package social.feed.engine.eventsource;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The state that all threads of an event source share: the number of running calls, whether
 * deliveries are paused, and the order of polls and calls. Ticks order these events across threads
 * without a clock. A poll that started at a later tick than the end of a call includes that call's
 * writes.
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

  /**
   * Ends a call. Threads that wait for records poll again, because the call's writes are visible
   * now.
   */
  void end() {
    locked(
        () -> {
          running--;
          lastEnd = ++tick;
          return signalWake();
        });
  }

  /** Ends every wait for records. */
  void wake() {
    locked(this::signalWake);
  }

  /** Wakes the threads that wait for a drain to end, without triggering a poll. */
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

  /**
   * Returns the number of wakes. Callers read it before they poll, so that they do not miss a wake
   * in between.
   */
  long wakes() {
    return locked(() -> wakes);
  }

  /** Waits until the time is over, a wake after {@code seen}, or the stop. */
  void awaitWake(Duration longest, long seen, BooleanSupplier stopped) {
    await(longest, () -> wakes != seen || stopped.getAsBoolean());
  }

  /**
   * Waits until the time is over. Throws {@link StoppedException} as soon as the event source
   * stops.
   */
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

  /** Pauses deliveries and returns when no call runs. */
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

  /** Pauses deliveries without waiting for running calls. */
  void requestPause() {
    locked(() -> paused = true);
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

  /** Begins a drain, during which no shard waits for a batch to fill. */
  void drainStarted() {
    locked(() -> drains++);
  }

  void drainEnded() {
    locked(() -> drains--);
  }

  boolean isDraining() {
    return locked(() -> drains > 0);
  }

  /**
   * Returns the tick after which a poll includes the writes of all calls, or {@code Long.MAX_VALUE}
   * while a call runs.
   */
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
