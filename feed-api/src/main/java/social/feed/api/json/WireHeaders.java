package social.feed.api.json;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;

/**
 * Headers of every answer: no guessing of types, and nothing about members in any cache but where a
 * route says otherwise.
 */
public final class WireHeaders {
  private WireHeaders() {}

  /** Puts them on an answer, once its type is known. */
  public static void addTo(MutableHttpResponse<?> response) {
    response.getHeaders().set("X-Content-Type-Options", "nosniff");
    boolean isPage = response.getContentType().map(type -> !isJson(type)).orElse(false);
    if (!isPage && !response.getHeaders().contains(HttpHeaders.CACHE_CONTROL)) {
      response.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
    }
  }

  private static boolean isJson(MediaType type) {
    return type.getSubtype().equals("json") || type.getSubtype().endsWith("+json");
  }
}
