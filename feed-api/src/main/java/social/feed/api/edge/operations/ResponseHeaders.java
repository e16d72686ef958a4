package social.feed.api.edge.operations;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import social.feed.api.edge.json.WireHeaders;

/** Puts the headers of every answer on what the routes answer. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class ResponseHeaders implements Ordered {

  /** Outermost, so that the answers of other filters have them too. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @ResponseFilter
  void add(MutableHttpResponse<?> response) {
    WireHeaders.addTo(response);
  }
}
