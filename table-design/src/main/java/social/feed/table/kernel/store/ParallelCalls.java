package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.trace.Tracing;

/**
 * Runs independent calls concurrently. Their cost counts for the caller, and their spans are in its
 * span.
 */
public final class ParallelCalls {
  private ParallelCalls() {}

  /**
   * Returns the result of a call for each input, in the order of the inputs. All calls have ended
   * when it returns or throws.
   *
   * @param atOnce the most concurrent calls
   */
  public static <A, B> List<B> map(List<A> inputs, int atOnce, Function<A, B> call) {
    if (inputs.size() <= 1) {
      return inputs.stream().map(call).toList();
    }
    var meter = CostMeter.current();
    var running = new ArrayList<Future<B>>();
    try (var threads =
        Executors.newFixedThreadPool(
            Math.min(atOnce, inputs.size()), Thread.ofVirtual().factory())) {
      inputs.forEach(
          input -> {
            var traced = Tracing.<B>carried(() -> call.apply(input));
            running.add(threads.submit(() -> meter.measure(traced)));
          });
    }
    return running.stream().map(ParallelCalls::result).toList();
  }

  /**
   * Returns the result of a call for each input, like {@link #map}. No call begins after one that
   * failed, so many inputs do not repeat one failure.
   */
  public static <A, B> List<B> mapUntilFailure(List<A> inputs, int atOnce, Function<A, B> call) {
    var first = new AtomicReference<@Nullable RuntimeException>();
    return map(
        inputs,
        atOnce,
        input -> {
          var failure = first.get();
          if (failure != null) {
            throw failure;
          }
          try {
            return call.apply(input);
          } catch (RuntimeException e) {
            first.compareAndSet(null, e);
            throw e;
          }
        });
  }

  private static <B> B result(Future<B> ended) {
    try {
      return ended.get();
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case RuntimeException failure -> failure;
        case Error error -> throw error;
        case null, default -> new IllegalStateException(e);
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the table", e);
    }
  }
}
