package social.feed.api.live;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/** Limits the concurrent streams of this process, in total and for each caller. */
@Singleton
final class StreamLimiter {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

  private final LiveConfiguration configuration;
  private final Map<String, Integer> open = new HashMap<>();
  private int total;

  StreamLimiter(LiveConfiguration configuration) {
    this.configuration = configuration;
  }

  /**
   * Acquires a slot for a caller.
   *
   * @throws ProblemException {@code too_many_streams}, {@code streams_exhausted}
   */
  synchronized void acquire(String userId) {
    if (open.getOrDefault(userId, 0) >= configuration.streamsPerUser()) {
      throw new ProblemException(
          ProblemCode.TOO_MANY_STREAMS,
          "More than %d streams at once".formatted(configuration.streamsPerUser()),
          // By then the server has detected a broken connection.
          configuration.heartbeat());
    }
    if (total >= configuration.streams()) {
      throw exhausted();
    }
    open.merge(userId, 1, Integer::sum);
    total++;
  }

  synchronized void release(String userId) {
    open.computeIfPresent(userId, (_, count) -> count == 1 ? null : count - 1);
    total--;
  }

  static ProblemException exhausted() {
    return new ProblemException(
        ProblemCode.STREAMS_EXHAUSTED, ProblemCode.STREAMS_EXHAUSTED.cause(), RETRY_AFTER);
  }
}
