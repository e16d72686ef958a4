package social.feed.streams.effect;

import java.util.Collection;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.ThrottledException;

/**
 * Writes what follows from a state, reads the state again, strongly consistent, and repeats while
 * it has changed in between. A change that came before the second read is seen there. A later one
 * has effects of its own, which find what was written.
 */
final class Settle {
  private static final Retry RETRY = Retry.standard().withoutPauses();

  private Settle() {}

  /**
   * Settles what follows from one state.
   *
   * @param what names the state in the failure
   * @param read reads the state
   * @param isOutdated whether what follows from the first state must be repeated for the second
   * @param write writes what follows from the state
   * @param wrote whether the result of a write requires the second read
   * @return the result of the last write
   * @throws ThrottledException when the state changes with each attempt
   */
  static <S, R> R one(
      String what,
      Supplier<S> read,
      BiPredicate<S, S> isOutdated,
      Function<S, R> write,
      Predicate<R> wrote) {
    return RETRY.until(
        what,
        () -> {
          var before = read.get();
          var written = write.apply(before);
          return wrote.test(written) && isOutdated.test(before, read.get())
              ? Optional.empty()
              : Optional.of(written);
        });
  }

  /**
   * Settles what follows from several states. Each attempt is for those that the one before left.
   *
   * @param what names the states in the failure
   * @param write writes what follows from some states, and returns those that have changed since
   * @throws ThrottledException when a state changes with each attempt
   */
  static <S> void all(String what, Collection<S> states, UnaryOperator<Collection<S>> write) {
    if (!states.isEmpty()) {
      RETRY.onRest(
          what,
          states,
          pending -> Optional.of(write.apply(pending)).filter(changed -> !changed.isEmpty()));
    }
  }
}
