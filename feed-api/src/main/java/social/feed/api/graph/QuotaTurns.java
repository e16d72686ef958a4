package social.feed.api.graph;

import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Lets one request of this process at a time change the quota of an account. A change replaces the
 * version that it has read, so each of many at once would reject the others: sixteen follows of one
 * caller took some hundred transactions, and some of them gave up. The table keeps the quota exact
 * with other processes as well, so a request that has waited long goes on.
 */
@Singleton
final class QuotaTurns {
  /** Accounts with the same lock wait for each other. */
  private static final int LOCKS = 1_024;

  private static final long PATIENCE_SECONDS = 10;

  private final ReentrantLock[] locks =
      Stream.generate(() -> new ReentrantLock(true)).limit(LOCKS).toArray(ReentrantLock[]::new);

  /** Runs a change of an account's quota, after those that came before it. */
  <T> T take(String userId, Supplier<T> change) {
    ReentrantLock lock = locks[Math.floorMod(userId.hashCode(), LOCKS)];
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

  private static boolean await(ReentrantLock lock) {
    try {
      return lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for another change", e);
    }
  }
}
