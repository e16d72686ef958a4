package social.feed.api.edge.operations;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.json.WireHeaders;

/** Adds the {@link WireHeaders} to all responses of routes and other filters. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class ResponseHeaders implements Ordered {

  @Override
  public int getOrder() {
    return FilterOrder.RESPONSE_HEADERS;
  }

  @ResponseFilter
  void add(MutableHttpResponse<?> response) {
    WireHeaders.addTo(response);
  }
}
