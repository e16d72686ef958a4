package social.feed.local;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Runs tasks concurrently. Close waits until all of them have ended. */
final class ParallelStart implements AutoCloseable {
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("start-", 1).daemon().factory());

  /**
   * Starts a task. The returned supplier waits for its result, and throws the exception of a failed
   * task.
   */
  <T> Supplier<T> begin(Supplier<T> work) {
    var result = CompletableFuture.supplyAsync(work, threads);
    return () -> {
      try {
        return result.join();
      } catch (CompletionException e) {
        throw unwrapped(e);
      }
    };
  }

  private static RuntimeException unwrapped(CompletionException e) {
    return switch (e.getCause()) {
      case RuntimeException failure -> failure;
      case Error error -> throw error;
      case null, default -> e;
    };
  }

  @Override
  public void close() {
    threads.close();
  }
}
