package social.feed.api.post;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shares reads of one key among concurrent callers. Each caller gets the result of a read that
 * began after the call, so a shared read is as consistent as a read of its own.
 *
 * <p>A call that meets no read of its key reads at once. Others wait for the running read to end
 * and share the next one, which begins {@link #APART} after the running one at the earliest. So the
 * number of reads does not grow with the number of calls: under a high load it is a hundred a
 * second and key. Thread-safe.
 */
final class SharedReads<K, V> {
  /** The time between the beginnings of a read and of one that callers waited for. */
  static final Duration APART = Duration.ofMillis(10);

  private final Function<K, V> reader;
  private final Waiting waiting;
  private final ReentrantLock lock = new ReentrantLock();

  /** The running read of each key, or one that has ended and that another one follows. */
  private final Map<K, Read<V>> running = new HashMap<>();

  /** How callers wait; tests run on a virtual clock. */
  interface Waiting {
    /** Blocks the thread of the caller. */
    Waiting BLOCKED =
        new Waiting() {
          @Override
          public long nanoTime() {
            return System.nanoTime();
          }

          @Override
          public void sleep(long nanos) {
            LockSupport.parkNanos(nanos);
          }

          @Override
          public void until(CompletableFuture<?> ended) {
            ended.handle((_, _) -> true).join();
          }
        };

    long nanoTime();

    /** Returns after a time; at once unless it is positive. */
    void sleep(long nanos);

    /** Returns when a read has ended, also when it failed. */
    void until(CompletableFuture<?> ended);
  }

  private static final class Read<V> {
    private final CompletableFuture<V> result = new CompletableFuture<>();
    private long beganAt;

    /** The read that callers wait for; the first of them performs it. */
    private @Nullable Read<V> next;
  }

  SharedReads(Function<K, V> reader) {
    this(reader, Waiting.BLOCKED);
  }

  SharedReads(Function<K, V> reader, Waiting waiting) {
    this.reader = reader;
    this.waiting = waiting;
  }

  /** Returns the value of a key, from a read that begins after this call. */
  V get(K key) {
    var mine = new Read<V>();
    Read<V> shared = mine;
    @Nullable Read<V> before;
    lock.lock();
    try {
      before = running.putIfAbsent(key, mine);
      if (before != null) {
        var next = before.next;
        if (next == null) {
          before.next = mine;
        } else {
          shared = next;
        }
      }
    } finally {
      lock.unlock();
    }
    if (shared != mine) {
      return result(shared);
    }
    if (before != null) {
      follow(key, mine, before);
    }
    return perform(key, mine);
  }

  /** Waits until a read may begin, and begins it. */
  private void follow(K key, Read<V> mine, Read<V> before) {
    waiting.until(before.result);
    waiting.sleep(before.beganAt + APART.toNanos() - waiting.nanoTime());
    lock.lock();
    try {
      running.put(key, mine);
    } finally {
      lock.unlock();
    }
  }

  private V perform(K key, Read<V> mine) {
    mine.beganAt = waiting.nanoTime();
    try {
      mine.result.complete(reader.apply(key));
    } catch (RuntimeException | Error e) {
      mine.result.completeExceptionally(e);
    } finally {
      end(key, mine);
    }
    return result(mine);
  }

  private void end(K key, Read<V> mine) {
    lock.lock();
    try {
      if (mine.next == null) {
        running.remove(key, mine);
      }
    } finally {
      lock.unlock();
    }
  }

  private V result(Read<V> read) {
    waiting.until(read.result);
    try {
      return read.result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
