package social.feed.api.operations;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Headers of every answer: no guessing of types, and nothing about members in any cache. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class ResponseHeaders implements Ordered {

  /** Outermost, so that the answers of other filters have them too. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @ResponseFilter
  void add(MutableHttpResponse<?> response) {
    response.getHeaders().set("X-Content-Type-Options", "nosniff");
    boolean cacheable = response.getContentType().map(type -> !isJson(type)).orElse(false);
    if (!cacheable) {
      response.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
    }
  }

  private static boolean isJson(MediaType type) {
    return type.getSubtype().equals("json") || type.getSubtype().endsWith("+json");
  }
}
