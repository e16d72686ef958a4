package social.feed.table.kernel.store;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How work that does not depend on each other runs.
 *
 * @param atOnce the most tasks; where there is more work, each task has several pieces
 * @param together runs tasks that do not depend on each other, and returns when all have ended
 */
public record Concurrency(int atOnce, Consumer<List<? extends Runnable>> together) {
  /** Each task has a thread. */
  public static Concurrency ofThreads(int atOnce) {
    return new Concurrency(
        atOnce,
        tasks ->
            ParallelCalls.map(
                tasks,
                atOnce,
                task -> {
                  task.run();
                  return true;
                }));
  }

  /**
   * Makes a call for each input. No call begins after one that failed, and all have ended when this
   * returns or throws what the first one threw.
   */
  public <A> void forEach(List<A> inputs, Consumer<A> call) {
    var rest = new Rest<>(inputs.iterator());
    Runnable task = () -> rest.forEachLeft(call);
    together.accept(Collections.nCopies(Math.min(atOnce, inputs.size()), task));
    rest.rethrow();
  }

  /** What no task has begun. */
  private static final class Rest<A> {
    private final Iterator<A> left;
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    Rest(Iterator<A> left) {
      this.left = left;
    }

    private synchronized @Nullable A next() {
      return failure.get() == null && left.hasNext() ? left.next() : null;
    }

    void forEachLeft(Consumer<A> call) {
      try {
        for (var next = next(); next != null; next = next()) {
          call.accept(next);
        }
      } catch (RuntimeException e) {
        failure.compareAndSet(null, e);
      }
    }

    void rethrow() {
      var first = failure.get();
      if (first != null) {
        throw first;
      }
    }
  }
}
