package social.feed.api.export;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Limits the exports of this process: few concurrently, since each reads all rows of an account,
 * and one for each caller in a period.
 */
@Singleton
final class ExportLimiter {
  private static final Duration RETRY_AFTER = Duration.ofMinutes(1);
  private static final int CALLERS_MAX = 100_000;

  private final ExportConfiguration configuration;
  private final InstantSource clock;
  private final Set<String> running = new HashSet<>();
  private final Cache<String, Instant> startedAt;

  ExportLimiter(ExportConfiguration configuration, InstantSource clock) {
    this.configuration = configuration;
    this.clock = clock;
    this.startedAt =
        Caffeine.newBuilder()
            .expireAfterWrite(configuration.againAfter())
            .maximumSize(CALLERS_MAX)
            .build();
  }

  /**
   * Acquires a slot for a caller.
   *
   * @throws ProblemException {@code too_many_exports}, {@code export_busy}
   */
  synchronized void acquire(String userId) {
    require(userId);
    running.add(userId);
    startedAt.put(userId, clock.instant());
  }

  /** Releases the slot of an export that has ended. The period of the caller goes on. */
  synchronized void release(String userId) {
    running.remove(userId);
  }

  /** Releases the slot of an export that did not start. The caller may start one at once. */
  synchronized void withdraw(String userId) {
    running.remove(userId);
    startedAt.invalidate(userId);
  }

  /**
   * Checks that there is a slot for a caller.
   *
   * @throws ProblemException {@code too_many_exports}, {@code export_busy}
   */
  synchronized void require(String userId) {
    if (running.contains(userId)) {
      throw tooMany(RETRY_AFTER);
    }
    @Nullable Instant last = startedAt.getIfPresent(userId);
    if (last != null) {
      Duration left = Duration.between(clock.instant(), last.plus(configuration.againAfter()));
      if (left.isPositive()) {
        throw tooMany(left);
      }
    }
    if (running.size() >= configuration.exports()) {
      throw new ProblemException(
          ProblemCode.EXPORT_BUSY,
          "%d exports are in progress".formatted(configuration.exports()),
          RETRY_AFTER);
    }
  }

  private static ProblemException tooMany(Duration retryAfter) {
    return new ProblemException(
        ProblemCode.TOO_MANY_EXPORTS, "The caller's last export is too recent", retryAfter);
  }
}
