package social.feed.api.edge.rate;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.cost.CostHeaders;

/**
 * Refuses requests of callers that exceed their rate, before any other work. What a request costs
 * is known after it: an expensive one counts as several.
 */
@ServerFilter("/v1/**")
final class RateLimit implements Ordered {
  private final TokenBuckets buckets;
  private final CallerKeys callers;

  RateLimit(TokenBuckets buckets, CallerKeys callers) {
    this.buckets = buckets;
    this.callers = callers;
  }

  @Override
  public int getOrder() {
    return FilterOrder.RATE_LIMIT;
  }

  @RequestFilter
  void count(HttpRequest<?> request) {
    buckets.take(request, callers.of(request));
  }

  @ResponseFilter
  void charge(HttpRequest<?> request) {
    CostHeaders.consumed(request)
        .ifPresent(units -> buckets.charge(request, callers.of(request), units));
  }
}
