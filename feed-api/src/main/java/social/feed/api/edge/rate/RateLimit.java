package social.feed.api.edge.rate;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.cost.CostHeaders;

/**
 * Refuses requests of callers that exceed their rate, before any other work. A change counts as
 * several requests. What a request costs is known after it: an expensive one counts as more.
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
  @Nullable CompletionStage<@Nullable HttpRequest<?>> count(HttpRequest<?> request) {
    return buckets.run(mayWait -> buckets.take(request, callers.of(request), mayWait), request);
  }

  @ResponseFilter
  @Nullable CompletionStage<@Nullable MutableHttpResponse<?>> charge(
      HttpRequest<?> request, MutableHttpResponse<?> response) {
    var charged = CostHeaders.consumed(request).filter(units -> buckets.isCharged(request, units));
    return charged.isEmpty()
        ? null
        : buckets.run(
            mayWait -> buckets.charge(request, callers.of(request), charged.get(), mayWait),
            response);
  }
}
