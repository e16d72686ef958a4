package social.feed.table.kernel.store;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.retries.LegacyRetryStrategy;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;

/**
 * The SDK's own repeats of single calls: its numbers for DynamoDB, or others, with another source
 * of jitter. The SDK's source is part of a snapshot, so functions that are restored from one would
 * repeat throttled calls at the same moments.
 */
final class CallRetries {
  private static final int ATTEMPTS = 9;
  private static final Duration BASE = Duration.ofMillis(25);
  private static final Duration BASE_THROTTLED = Duration.ofMillis(500);
  private static final Duration CEILING = Duration.ofSeconds(20);

  /** Of a pause after throttling this part is no jitter. */
  private static final double HALF = 0.5;

  private CallRetries() {}

  static void configure(RetryStrategy.Builder<?, ?> strategy) {
    var random = new SecureRandom();
    strategy
        .maxAttempts(ATTEMPTS)
        .backoffStrategy(new Pauses(BASE, CEILING, 0, random))
        .throttlingBackoffStrategy(new Pauses(BASE_THROTTLED, CEILING, HALF, random));
  }

  /**
   * Also switches off the tokens with which a client pays for repeats after lost connections: with
   * them, a few calls at once end after half of the attempts, and more calls after fewer.
   */
  static void configure(RetryStrategy.Builder<?, ?> strategy, Retry retry) {
    switch (strategy) {
      case LegacyRetryStrategy.Builder legacy -> legacy.circuitBreakerEnabled(false);
      case StandardRetryStrategy.Builder standard -> standard.circuitBreakerEnabled(false);
      default -> {
        // Others have no such switch.
      }
    }
    strategy
        .maxAttempts(retry.attempts())
        .backoffStrategy(new Pauses(retry.base(), retry.ceiling(), 0, retry.random()))
        .throttlingBackoffStrategy(new Pauses(retry.base(), retry.ceiling(), HALF, retry.random()));
  }

  /**
   * Pauses that double.
   *
   * @param base the longest first pause
   * @param ceiling the longest pause
   * @param fixed the part of each pause that is no jitter
   * @param random source of the jitter
   */
  record Pauses(Duration base, Duration ceiling, double fixed, RandomGenerator random)
      implements BackoffStrategy {
    private static final int DOUBLINGS_MAX = 30;

    @Override
    public Duration computeDelay(int attempt) {
      long doubled = base.toMillis() << Math.min(attempt - 1, DOUBLINGS_MAX);
      long longest = Math.min(doubled, ceiling.toMillis());
      return Duration.ofMillis(random.nextLong((long) (fixed * longest), longest + 1));
    }
  }
}
