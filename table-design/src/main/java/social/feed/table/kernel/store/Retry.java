package social.feed.table.kernel.store;

import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Repeats an attempt that met a concurrent write, that a batch call served only in part, or that
 * another service did not answer. Exponential backoff with full jitter. The SDK retries errors of
 * single calls.
 *
 * @param attempts the number of attempts, the first included
 * @param base the ceiling of the first pause; each further ceiling doubles
 * @param ceiling the longest pause
 * @param random source of the jitter
 * @param pause waits that long
 */
public record Retry(
    int attempts, Duration base, Duration ceiling, RandomGenerator random, Pause pause) {

  /** Waits. */
  @FunctionalInterface
  public interface Pause {
    void of(Duration duration) throws InterruptedException;
  }

  public Retry {
    if (attempts < 1 || base.isNegative() || ceiling.compareTo(base) < 0) {
      throw new IllegalArgumentException("Retry needs an attempt and a ceiling above its base");
    }
  }

  /** Eight attempts within about three seconds. */
  public static Retry standard() {
    return new Retry(
        8,
        Duration.ofMillis(25),
        Duration.ofSeconds(1),
        // Functions restored from one snapshot would continue with the same numbers of any other
        // source, and retry at the same moments.
        new SecureRandom(),
        Thread::sleep);
  }

  /** The same attempts without pauses: for an attempt that already has the item to go on from. */
  public Retry withoutPauses() {
    return new Retry(attempts, Duration.ZERO, Duration.ZERO, random, _ -> {});
  }

  /** The same pauses with another number of attempts. */
  public Retry ofAttempts(int number) {
    return new Retry(number, base, ceiling, random, pause);
  }

  /**
   * Returns the first result of an attempt.
   *
   * @param what names the operation in the exception
   * @param attempt empty where it must be repeated
   * @throws ThrottledException when no attempt has a result
   */
  public <T> T until(String what, Supplier<Optional<T>> attempt) {
    return until(what, _ -> attempt.get());
  }

  /**
   * Returns the first result of an attempt.
   *
   * @param what names the operation in the exception
   * @param attempt takes its number, from 1; empty where it must be repeated
   * @throws ThrottledException when no attempt has a result
   */
  public <T> T until(String what, IntFunction<Optional<T>> attempt) {
    for (int number = 1; ; number++) {
      var result = attempt.apply(number);
      if (result.isPresent()) {
        return result.get();
      }
      if (number == attempts) {
        throw new ThrottledException(what, 1, attempts);
      }
      await(number);
    }
  }

  /**
   * Returns what another service answers. It is asked again while it does not.
   *
   * @param call may be repeated
   * @param isTemporary whether the service may answer later after a failure
   * @throws UncheckedIOException the last failure
   */
  public <T> T answered(Supplier<T> call, Predicate<UncheckedIOException> isTemporary) {
    for (int number = 1; ; number++) {
      try {
        return call.get();
      } catch (UncheckedIOException e) {
        if (number == attempts || !isTemporary.test(e)) {
          throw e;
        }
      }
      await(number);
    }
  }

  /**
   * Repeats an attempt on what the one before left over.
   *
   * @param what names the operation in the exception
   * @param first input of the first attempt
   * @param attempt returns the input of the next attempt, empty when nothing is left
   * @throws ThrottledException when the last attempt leaves something over
   */
  public <S> void onRest(String what, S first, Function<S, Optional<S>> attempt) {
    var rest = attempt.apply(first);
    for (int number = 1; rest.isPresent(); number++) {
      if (number == attempts) {
        int left = rest.get() instanceof Collection<?> items ? items.size() : 1;
        throw new ThrottledException(what, left, attempts);
      }
      await(number);
      rest = attempt.apply(rest.get());
    }
  }

  /** Waits before the next attempt; {@code failed} counts the attempts so far, from 1. */
  void await(int failed) {
    long limit = Math.min(ceiling.toMillis(), base.toMillis() << Math.min(failed - 1, 20));
    try {
      pause.of(Duration.ofMillis(random.nextLong(limit + 1)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ThrottledException("Interrupted while backing off", failed, e);
    }
  }
}
