package social.feed.api.edge.json;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.util.Set;

/**
 * Headers of every answer: no guessing of types, and nothing about members in any cache but where a
 * route says otherwise.
 */
public final class WireHeaders {
  private static final Set<String> SUBTYPES = Set.of("json", "x-ndjson", "event-stream");

  private WireHeaders() {}

  /** Puts them on an answer, once its type is known. */
  public static void addTo(MutableHttpResponse<?> response) {
    response.getHeaders().set("X-Content-Type-Options", "nosniff");
    boolean isPublic = response.getContentType().map(type -> !isOfMembers(type)).orElse(false);
    if (!isPublic && !response.getHeaders().contains(HttpHeaders.CACHE_CONTROL)) {
      response.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
    }
  }

  private static boolean isOfMembers(MediaType type) {
    String subtype = type.getSubtype();
    return SUBTYPES.contains(subtype) || subtype.endsWith("+json");
  }
}
