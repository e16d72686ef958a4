package social.feed.api.edge.rate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.kernel.cost.ConsumedUnits;

/** The buckets of recent callers, in the memory of this process. */
@Singleton
final class TokenBuckets {
  /** The attribute of a request with the {@link TokenBucket} that it counted in. */
  static final String ATTRIBUTE = TokenBucket.class.getName();

  private final RateConfiguration rate;
  private final InstantSource clock;
  private final Cache<String, TokenBucket> buckets;

  TokenBuckets(RateConfiguration rate, InstantSource clock) {
    this.rate = rate;
    this.clock = clock;
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(rate.callers())
            // A full bucket is equivalent to none.
            .expireAfterAccess(
                Duration.ofSeconds(1 + rate.burst() / rate.perSecond()).plus(rate.longestDebt()))
            .build();
  }

  /**
   * Counts a request of a caller, and stores the caller's bucket as an attribute of the request.
   *
   * @throws ProblemException {@code rate_limited}
   */
  void take(HttpRequest<?> request, String caller) {
    TokenBucket bucket = take(caller);
    request.setAttribute(ATTRIBUTE, bucket);
    if (!bucket.isAdmitted()) {
      throw new ProblemException(
          ProblemCode.RATE_LIMITED,
          "More than %d requests a second".formatted(rate.perSecond()),
          bucket.untilNext(rate));
    }
  }

  /** Counts a response that consumed more units than one request covers as more requests. */
  void charge(HttpRequest<?> request, String caller, ConsumedUnits units) {
    double more = rate.requests(units) - 1;
    if (more > 0) {
      var bucket =
          buckets.asMap().computeIfPresent(caller, (_, before) -> before.charged(rate, more));
      request.setAttribute(ATTRIBUTE, bucket);
    }
  }

  TokenBucket take(String caller) {
    Instant now = clock.instant();
    return buckets
        .asMap()
        .compute(
            caller,
            (_, before) ->
                (before == null ? TokenBucket.full(rate, now) : before).after(rate, now));
  }
}
