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
 * How many exports there are in this process: few at once, since each walks through the whole
 * table, and of each caller one in a while.
 */
@Singleton
final class ExportLimiter {
  private static final Duration LATER = Duration.ofMinutes(1);
  private static final int REMEMBERED = 100_000;

  private final ExportConfiguration configuration;
  private final InstantSource clock;
  private final Set<String> writing = new HashSet<>();
  private final Cache<String, Instant> begun;

  ExportLimiter(ExportConfiguration configuration, InstantSource clock) {
    this.configuration = configuration;
    this.clock = clock;
    this.begun =
        Caffeine.newBuilder()
            .expireAfterWrite(configuration.againAfter())
            .maximumSize(REMEMBERED)
            .build();
  }

  /**
   * Takes a place for a caller.
   *
   * @throws ProblemException {@code too_many_exports}, {@code export_busy}
   */
  synchronized void take(String userId) {
    require(userId);
    writing.add(userId);
    begun.put(userId, clock.instant());
  }

  synchronized void giveBack(String userId) {
    writing.remove(userId);
  }

  /**
   * Whether there is a place for a caller.
   *
   * @throws ProblemException {@code too_many_exports}, {@code export_busy}
   */
  synchronized void require(String userId) {
    if (writing.contains(userId)) {
      throw tooMany(LATER);
    }
    @Nullable Instant last = begun.getIfPresent(userId);
    if (last != null) {
      Duration left = Duration.between(clock.instant(), last.plus(configuration.againAfter()));
      if (left.isPositive()) {
        throw tooMany(left);
      }
    }
    if (writing.size() >= configuration.exports()) {
      throw new ProblemException(
          ProblemCode.EXPORT_BUSY,
          "%d exports are being written".formatted(configuration.exports()),
          LATER);
    }
  }

  private static ProblemException tooMany(Duration retryAfter) {
    return new ProblemException(
        ProblemCode.TOO_MANY_EXPORTS, "The caller's last export is too young", retryAfter);
  }
}
