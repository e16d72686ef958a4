package social.feed.api.graph;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one request of this process at a time change the quota of an account. A change replaces the
 * version that it has read, so each of many at once would reject the others: sixteen follows of one
 * caller took some hundred transactions, and some of them gave up. The table keeps the quota exact
 * with other processes as well, so a request that has waited long goes on. Each account has a lock
 * of its own while a request has it or waits for it, so no account waits for another.
 */
@Singleton
final class QuotaTurns {
  private static final long PATIENCE_SECONDS = 10;

  /** A lock that no request refers to is collected. */
  private final Cache<String, ReentrantLock> locks = Caffeine.newBuilder().weakValues().build();

  /** Runs a change of an account's quota, after those that came before it. */
  <T> T take(String userId, Supplier<T> change) {
    ReentrantLock lock = locks.get(userId, _ -> new ReentrantLock(true));
    boolean isLocked = await(lock);
    try {
      return change.get();
    } finally {
      if (isLocked) {
        lock.unlock();
      }
    }
  }

  /** Runs a change without a result, as {@link #take} does. */
  void run(String userId, Runnable change) {
    Runnable _ =
        take(
            userId,
            () -> {
              change.run();
              return change;
            });
  }

  /** Returns the number of accounts whose locks are in memory, after unused ones were collected. */
  long held() {
    locks.cleanUp();
    return locks.estimatedSize();
  }

  private static boolean await(ReentrantLock lock) {
    try {
      return lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for another change", e);
    }
  }
}
