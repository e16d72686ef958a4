package social.feed.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Runs a call on many threads that start together. */
final class AtOnce {
  private AtOnce() {}

  /** Returns the results in the order of the thread numbers. */
  static <T> List<T> run(int threads, IntFunction<T> call) {
    var start = new CountDownLatch(1);
    var futures = new ArrayList<Future<T>>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < threads; i++) {
        int number = i;
        Callable<T> task =
            () -> {
              start.await();
              return call.apply(number);
            };
        futures.add(executor.submit(task));
      }
      start.countDown();
    }
    return futures.stream().map(AtOnce::answer).toList();
  }

  private static <T> T answer(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new AssertionError("A thread failed", e.getCause());
    } catch (InterruptedException e) {
      throw new AssertionError("Interrupted", e);
    }
  }
}
