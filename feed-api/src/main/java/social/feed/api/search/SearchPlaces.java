package social.feed.api.search;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Limits the searches of a caller that the index performs at once for this process. A search can
 * take the index two seconds, and only the units of what it shows count for the rate of requests.
 * That alone would let one caller have hundreds at once, and all others would wait behind them.
 */
@Singleton
final class SearchPlaces {
  /** A field that completes what is typed may ask both lists before the last answer is there. */
  static final int AT_ONCE = 6;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /** The searches of the callers who have some. */
  private final ConcurrentMap<String, Integer> open = new ConcurrentHashMap<>();

  /** A search of the index. */
  @FunctionalInterface
  interface Search<T> {
    T run() throws IOException;
  }

  /**
   * Performs a search of a caller.
   *
   * @throws ProblemException {@code rate_limited} while the caller has as many as may be
   */
  <T> T take(String callerId, Search<T> search) throws IOException {
    int taken = open.merge(callerId, 1, Integer::sum);
    try {
      if (taken > AT_ONCE) {
        throw new ProblemException(
            ProblemCode.RATE_LIMITED,
            "The caller has %d searches in progress".formatted(AT_ONCE),
            RETRY_AFTER);
      }
      return search.run();
    } finally {
      open.computeIfPresent(callerId, (_, count) -> count == 1 ? null : count - 1);
    }
  }
}
