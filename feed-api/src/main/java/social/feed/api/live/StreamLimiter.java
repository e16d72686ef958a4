package social.feed.api.live;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/** How many streams there are, in all and of each caller, in this process. */
@Singleton
final class StreamLimiter {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

  private final LiveConfiguration configuration;
  private final Map<String, Integer> taken = new HashMap<>();
  private int all;

  StreamLimiter(LiveConfiguration configuration) {
    this.configuration = configuration;
  }

  /**
   * Takes a place for a caller.
   *
   * @throws ProblemException {@code too_many_streams}, {@code streams_exhausted}
   */
  synchronized void take(String userId) {
    if (taken.getOrDefault(userId, 0) >= configuration.streamsPerUser()) {
      throw new ProblemException(
          ProblemCode.TOO_MANY_STREAMS,
          "More than %d streams at once".formatted(configuration.streamsPerUser()),
          // By then it was noticed of a stream that it broke off.
          configuration.heartbeat());
    }
    if (all >= configuration.streams()) {
      throw exhausted();
    }
    taken.merge(userId, 1, Integer::sum);
    all++;
  }

  synchronized void giveBack(String userId) {
    taken.computeIfPresent(userId, (_, many) -> many == 1 ? null : many - 1);
    all--;
  }

  static ProblemException exhausted() {
    return new ProblemException(
        ProblemCode.STREAMS_EXHAUSTED, ProblemCode.STREAMS_EXHAUSTED.cause(), RETRY_AFTER);
  }
}
