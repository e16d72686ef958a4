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
 * and one for each caller in a period. After one that the server broke off the period is short, and
 * bounds the cost of repeats only.
 */
@Singleton
final class ExportLimiter {
  private static final Duration RETRY_AFTER = Duration.ofMinutes(1);
  private static final int CALLERS_MAX = 100_000;

  private final ExportConfiguration configuration;
  private final InstantSource clock;
  private final Set<String> running = new HashSet<>();

  /** When callers may export again. */
  private final Cache<String, Instant> again;

  ExportLimiter(ExportConfiguration configuration, InstantSource clock) {
    this.configuration = configuration;
    this.clock = clock;
    this.again =
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
    again.put(userId, clock.instant().plus(configuration.againAfter()));
  }

  /**
   * Releases the slot of an export that has ended. The period of the caller goes on, or ends after
   * a minute.
   *
   * @param hasFailed whether the server broke the export off
   */
  synchronized void release(String userId, boolean hasFailed) {
    running.remove(userId);
    @Nullable Instant next = again.getIfPresent(userId);
    Instant soon = clock.instant().plus(RETRY_AFTER);
    if (hasFailed && next != null && soon.isBefore(next)) {
      again.put(userId, soon);
    }
  }

  /** Releases the slot of an export that did not start. The caller may start one at once. */
  synchronized void withdraw(String userId) {
    running.remove(userId);
    again.invalidate(userId);
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
    @Nullable Instant next = again.getIfPresent(userId);
    if (next != null) {
      Duration left = Duration.between(clock.instant(), next);
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
