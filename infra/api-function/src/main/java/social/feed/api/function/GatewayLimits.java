package social.feed.api.function;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Refuses addresses and headers that the server of the API refuses while it parses them. The
 * gateway allows 10 KiB for both.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class GatewayLimits implements Ordered {
  private static final int ADDRESS_MAX = 4 * 1024;
  private static final int HEADERS_MAX = 8 * 1024;

  @Override
  public int getOrder() {
    return FilterOrder.GATEWAY_LIMITS;
  }

  @RequestFilter
  void check(HttpRequest<?> request) {
    if (request.getUri().toString().length() > ADDRESS_MAX) {
      throw new ProblemException(ProblemCode.ADDRESS_TOO_LONG);
    }
    int size = 0;
    for (String name : request.getHeaders().names()) {
      size += name.length() + String.valueOf(request.getHeaders().get(name)).length();
    }
    if (size > HEADERS_MAX) {
      throw new ProblemException(ProblemCode.HEADERS_TOO_LARGE);
    }
  }
}
