package social.feed.api.edge.rate;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.time.Duration;
import social.feed.api.edge.FilterOrder;

/**
 * Adds to every response how many more requests the caller may send, in the fields of the IETF
 * draft “RateLimit header fields for HTTP”.
 */
@ServerFilter("/v1/**")
final class RateHeaders implements Ordered {
  private static final String NAME = "\"caller\"";

  private final RateConfiguration rate;
  private final String policy;

  RateHeaders(RateConfiguration rate) {
    this.rate = rate;
    this.policy =
        "%s;q=%d;w=%d".formatted(NAME, rate.burst(), Math.ceilDiv(rate.burst(), rate.perSecond()));
  }

  @Override
  public int getOrder() {
    return FilterOrder.RATE_HEADERS;
  }

  @ResponseFilter
  void add(HttpRequest<?> request, MutableHttpResponse<?> response) {
    request
        .getAttribute(TokenBuckets.ATTRIBUTE, TokenBucket.class)
        .ifPresent(
            bucket -> {
              response.getHeaders().set("RateLimit-Policy", policy);
              response.getHeaders().set("RateLimit", state(bucket));
            });
  }

  private String state(TokenBucket bucket) {
    return NAME + ";r=" + bucket.remaining() + ";t=" + seconds(bucket.untilFull(rate.refill()));
  }

  private static long seconds(Duration wait) {
    return wait.plusMillis(999).toSeconds();
  }
}
