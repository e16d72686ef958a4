package social.feed.local;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The parts of one platform that are open. Closing them is right at any moment: what is being
 * opened just then is waited for, and nothing is opened after it.
 */
public final class PlatformParts implements AutoCloseable {
  /** In the order in which they stop: no request any more, then no record, then no data. */
  enum Part {
    API,
    SWEEP,
    STREAM,
    MULTIPLEXER,
    QUEUE,
    DYNAMODB
  }

  /** Longer than any part takes to open. The process is to end, even if one never does. */
  private static final long PATIENCE_SECONDS = 20;

  private final Map<Part, AutoCloseable> open = new EnumMap<>(Part.class);
  private final ReentrantLock opening = new ReentrantLock();
  private volatile boolean stopping;

  /** Opens all parts, or closes those that it could open. */
  <T> T openAll(Supplier<T> platform) {
    opening.lock();
    try {
      requireNotStopping();
      var opened = platform.get();
      requireNotStopping();
      return opened;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    } finally {
      opening.unlock();
    }
  }

  /** Keeps a part, in the place of what was kept as the same one. */
  <T extends AutoCloseable> T opened(Part part, T it) {
    synchronized (open) {
      open.put(part, it);
    }
    requireNotStopping();
    return it;
  }

  private void requireNotStopping() {
    if (stopping) {
      throw new CancellationException("The platform was stopped while it was starting");
    }
  }

  /** Stops in order whatever is open. */
  @Override
  public void close() {
    stopping = true;
    boolean quiet = awaitOpening();
    try {
      for (var part : Part.values()) {
        close(part);
      }
    } finally {
      if (quiet) {
        opening.unlock();
      }
    }
  }

  private boolean awaitOpening() {
    try {
      return opening.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void close(Part part) {
    AutoCloseable it;
    synchronized (open) {
      it = open.remove(part);
    }
    if (it == null) {
      return;
    }
    try {
      it.close();
    } catch (Exception e) {
      System.getLogger(PlatformParts.class.getName())
          .log(System.Logger.Level.WARNING, part + " did not stop in order", e);
    }
  }
}
