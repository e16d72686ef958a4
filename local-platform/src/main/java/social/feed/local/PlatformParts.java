package social.feed.local;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The open parts of one platform. They can be closed at any time: close waits for a part that is
 * being opened, and no part is opened after it.
 */
public final class PlatformParts implements AutoCloseable {
  /** The parts in the order in which they stop: first requests, then records, then data. */
  enum Part {
    /** Ends calls to other processes some time after the stop has begun. */
    CALL_LIMIT,
    API,
    CONTROL,
    SWEEP,
    STREAM,
    MULTIPLEXER_PROCESSES,
    /** What these processes ask this one. */
    TRACES,
    MULTIPLEXER,
    SINKS,
    SEARCH,
    QUEUE,
    DYNAMODB,
    /** The files of a platform in memory. Without an engine no request under way has another. */
    MEDIA
  }

  /** Longer than any part takes to open. The process must end even if a part does not. */
  private static final long PATIENCE_SECONDS = 20;

  private final Map<Part, AutoCloseable> open = new EnumMap<>(Part.class);
  private final ReentrantLock opening = new ReentrantLock();
  private volatile boolean stopping;

  /** Opens all parts. If one fails, closes those that are open. */
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

  /** Registers an open part, which replaces a registered object for the same part. */
  <T extends AutoCloseable> T opened(Part part, T object) {
    synchronized (open) {
      open.put(part, object);
    }
    requireNotStopping();
    return object;
  }

  /** Returns whether the parts are being closed. */
  boolean isStopping() {
    return stopping;
  }

  private void requireNotStopping() {
    if (stopping) {
      throw new CancellationException("The platform was stopped while it was starting");
    }
  }

  /** Stops all open parts in order. */
  @Override
  public void close() {
    stopping = true;
    boolean locked = awaitOpening();
    try {
      for (var part : Part.values()) {
        close(part);
      }
    } finally {
      if (locked) {
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
    AutoCloseable closeable;
    synchronized (open) {
      closeable = open.remove(part);
    }
    if (closeable == null) {
      return;
    }
    try {
      closeable.close();
    } catch (Exception e) {
      System.getLogger(PlatformParts.class.getName())
          .log(System.Logger.Level.WARNING, part + " could not be closed", e);
    }
  }
}
