package social.feed.local;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Begins things at the same time; when it is closed, all of them have ended. */
final class ParallelStart implements AutoCloseable {
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("start-", 1).daemon().factory());

  /** Begins at once. The answer waits for the result, and fails as it failed. */
  <T> Supplier<T> begin(Supplier<T> work) {
    var result = CompletableFuture.supplyAsync(work, threads);
    return () -> {
      try {
        return result.join();
      } catch (CompletionException e) {
        throw asItFailed(e);
      }
    };
  }

  private static RuntimeException asItFailed(CompletionException e) {
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
