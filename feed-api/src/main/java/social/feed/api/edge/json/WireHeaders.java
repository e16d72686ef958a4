package social.feed.api.edge.json;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import java.util.Set;

/**
 * Adds the headers of every response: clients must not guess the media type, and caches must not
 * store user data unless a route allows it.
 */
public final class WireHeaders {
  private static final Set<String> SUBTYPES = Set.of("json", "x-ndjson", "event-stream");

  private WireHeaders() {}

  /** Adds the headers to a response whose media type is set. */
  public static void addTo(MutableHttpResponse<?> response) {
    response.getHeaders().set("X-Content-Type-Options", "nosniff");
    boolean isPublic = response.getContentType().map(type -> !isUserData(type)).orElse(false);
    if (!isPublic && !response.getHeaders().contains(HttpHeaders.CACHE_CONTROL)) {
      response.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
    }
  }

  private static boolean isUserData(MediaType type) {
    String subtype = type.getSubtype();
    return SUBTYPES.contains(subtype) || subtype.endsWith("+json");
  }
}
