package social.feed.engine.eventsource;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delays between failures: doubled each time up to a limit. Half of each delay is random, so
 * that two mappings do not retry at the same times.
 */
public record RetryDelay(Duration first, Duration longest) {

  private static final int MAX_DOUBLINGS = 20;

  public RetryDelay {
    if (first.isNegative() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "0 <= first <= longest must hold, not " + first + ", " + longest);
    }
  }

  /** Returns the delay after this number of consecutive failures, from 1. */
  Duration after(int failures, RandomGenerator random) {
    long doubled = first.toNanos() << Math.min(failures - 1, MAX_DOUBLINGS);
    long bounded = Math.min(doubled, longest.toNanos());
    return Duration.ofNanos(bounded / 2 + random.nextLong(bounded / 2 + 1));
  }
}
