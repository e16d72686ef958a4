package social.feed.api.edge.rate;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.FilterOrder;

/**
 * Counts requests by address whose token is not valid, or cannot be checked because the issuer's
 * keys are unavailable. They never reach {@link RateLimit}, and must not use up the requests of
 * users at the same address.
 */
@ServerFilter("/v1/**")
final class InvalidTokenLimit implements Ordered {
  private final TokenBuckets buckets;
  private final CallerKeys callers;

  InvalidTokenLimit(TokenBuckets buckets, CallerKeys callers) {
    this.buckets = buckets;
    this.callers = callers;
  }

  @Override
  public int getOrder() {
    return FilterOrder.INVALID_TOKEN_LIMIT;
  }

  @ResponseFilter
  @Nullable CompletionStage<@Nullable MutableHttpResponse<?>> count(
      HttpRequest<?> request, MutableHttpResponse<?> response) {
    return response.code() == HttpStatus.UNAUTHORIZED.getCode() || isUnchecked(request, response)
        ? buckets.run(
            mayWait -> buckets.takeRefused(request, callers.address(request), mayWait), response)
        : null;
  }

  private static boolean isUnchecked(HttpRequest<?> request, MutableHttpResponse<?> response) {
    return response.code() == HttpStatus.SERVICE_UNAVAILABLE.getCode()
        && request.getAttribute(TokenBuckets.ATTRIBUTE).isEmpty();
  }
}
