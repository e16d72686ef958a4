package social.feed.api.home;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Page;
import social.feed.table.row.FeedRef;

/**
 * Limits the concurrent pages of posts older than the stored feeds, of callers who follow more than
 * 200 accounts. Each reads the lists of all these authors, and holds up to 60 000 references in
 * memory. That is limited; the further reads of the same request are not, which go on at the lists
 * that end first and keep up to 2 000 references.
 */
@Singleton
final class OldPageLimiter implements HomeFeeds.Gate {
  /** The most pages of this process at once. */
  static final int AT_ONCE = 16;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /** How long a page waits for its turn. Two devices of a caller may begin at the same time. */
  private final Duration patience;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition isLeft = lock.newCondition();
  private final Set<String> readers = new HashSet<>();

  @Inject
  OldPageLimiter() {
    this(Duration.ofSeconds(3));
  }

  OldPageLimiter(Duration patience) {
    this.patience = patience;
  }

  /**
   * Reads a page, unless too many are being read for longer than it waits.
   *
   * @throws ProblemException {@code rate_limited} where the reader has another such page, {@code
   *     table_busy} where the process has too many
   */
  @Override
  public Page<FeedRef> admit(String readerId, Supplier<Page<FeedRef>> read) {
    enter(readerId);
    try {
      return read.get();
    } finally {
      leave(readerId);
    }
  }

  private void enter(String readerId) {
    lock.lock();
    try {
      long left = patience.toNanos();
      while (left > 0 && (readers.contains(readerId) || readers.size() >= AT_ONCE)) {
        left = isLeft.awaitNanos(left);
      }
      if (readers.contains(readerId)) {
        throw new ProblemException(
            ProblemCode.RATE_LIMITED,
            "Another page of posts older than the stored feed is being read. Request one at a time",
            RETRY_AFTER);
      }
      if (readers.size() >= AT_ONCE) {
        throw new ProblemException(
            ProblemCode.TABLE_BUSY,
            "%d pages of posts older than the stored feeds are being read".formatted(AT_ONCE),
            RETRY_AFTER);
      }
      readers.add(readerId);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a page of old posts", e);
    } finally {
      lock.unlock();
    }
  }

  private void leave(String readerId) {
    lock.lock();
    try {
      readers.remove(readerId);
      isLeft.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
