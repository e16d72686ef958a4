package social.feed.api.edge.rate;

import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.kernel.cost.ConsumedUnits;

/** The requests of recent callers. */
@Singleton
final class TokenBuckets {
  /** The attribute of a request with the {@link TokenBucket} that it counted in. */
  static final String ATTRIBUTE = TokenBucket.class.getName();

  private final RateConfiguration rate;
  private final Buckets buckets;

  TokenBuckets(RateConfiguration rate, InstantSource clock) {
    this.rate = rate;
    this.buckets = new Buckets(rate.refill(), rate.callers(), clock);
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
          bucket.untilNext(rate.refill()));
    }
  }

  /** Counts a response that consumed more units than one request covers as more requests. */
  void charge(HttpRequest<?> request, String caller, ConsumedUnits units) {
    double more = rate.requests(units) - 1;
    if (more > 0) {
      request.setAttribute(ATTRIBUTE, buckets.charge(caller, more).orElse(null));
    }
  }

  TokenBucket take(String caller) {
    return buckets.take(caller);
  }
}
