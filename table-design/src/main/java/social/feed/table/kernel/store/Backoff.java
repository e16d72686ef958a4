package social.feed.table.kernel.store;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with full jitter, for items that a batch call left unprocessed and for lost
 * optimistic updates. Errors of single calls are retried by the SDK.
 *
 * @param attempts how often to try in all
 * @param base the first ceiling; each further one doubles
 * @param ceiling the longest pause
 * @param random source of the jitter
 * @param pause waits that long
 */
public record Backoff(
    int attempts, Duration base, Duration ceiling, RandomGenerator random, Pause pause) {

  /** Waits. */
  @FunctionalInterface
  public interface Pause {
    void of(Duration duration) throws InterruptedException;
  }

  public Backoff {
    if (attempts < 1 || base.isNegative() || ceiling.compareTo(base) < 0) {
      throw new IllegalArgumentException("Backoff needs an attempt and a ceiling above its base");
    }
  }

  /** Eight attempts within some three seconds. */
  public static Backoff standard() {
    return new Backoff(
        8,
        Duration.ofMillis(25),
        Duration.ofSeconds(1),
        // One backoff is shared by all threads of a client.
        () -> ThreadLocalRandom.current().nextLong(),
        Thread::sleep);
  }

  /** Waits before the next attempt; {@code failed} counts the attempts so far, from 1. */
  public void await(int failed) {
    long limit = Math.min(ceiling.toMillis(), base.toMillis() << Math.min(failed - 1, 20));
    try {
      pause.of(Duration.ofMillis(random.nextLong(limit + 1)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ThrottledException("Interrupted while backing off", failed, e);
    }
  }
}
