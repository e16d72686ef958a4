package social.feed.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Runs tasks in parallel, a few at a time, and waits until all are done. */
final class ParallelTasks {
  private static final int AT_ONCE = 4;

  private ParallelTasks() {}

  /**
   * Returns the results in the order of the tasks.
   *
   * @throws IllegalStateException if a task fails with a checked exception, or the thread is
   *     interrupted
   */
  static <T> List<T> run(List<? extends Callable<T>> tasks) {
    var permits = new Semaphore(AT_ONCE);
    var running = new ArrayList<Future<T>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var task : tasks) {
        running.add(
            threads.submit(
                () -> {
                  permits.acquireUninterruptibly();
                  try {
                    return task.call();
                  } finally {
                    permits.release();
                  }
                }));
      }
    }
    return running.stream().map(ParallelTasks::result).toList();
  }

  private static <T> T result(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
