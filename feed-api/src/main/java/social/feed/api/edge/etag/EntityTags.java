package social.feed.api.edge.etag;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.json.JsonMapper;
import io.micronaut.web.router.RouteAttributes;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import social.feed.api.edge.FilterOrder;
import social.feed.table.kernel.id.Sha256;

/**
 * Tags the responses of {@link Revalidated} routes with a digest of the body, and omits the body
 * where the client has it (RFC 9110 section 13.1.2). The tags are weak, since the same response may
 * be sent compressed or not.
 */
@Revalidated
@ServerFilter("/v1/**")
final class EntityTags implements Ordered {
  private static final int TAG_BYTES = 16;

  private final JsonMapper json;

  EntityTags(JsonMapper json) {
    this.json = json;
  }

  @Override
  public int getOrder() {
    return FilterOrder.ENTITY_TAGS;
  }

  @ResponseFilter
  MutableHttpResponse<?> tag(HttpRequest<?> request, MutableHttpResponse<?> response)
      throws IOException {
    Optional<Object> body = body(response);
    if (response.code() != HttpStatus.OK.getCode() || body.isEmpty()) {
      return response;
    }
    byte[] text = json.writeValueAsBytes(body.get());
    String tag = "W/\"" + digest(text) + "\"";
    // A new response: the old one with another status would declare a length of zero bytes.
    MutableHttpResponse<?> answer = isKnown(request, tag) ? HttpResponse.notModified() : response;
    answer.getHeaders().set(HttpHeaders.ETAG, tag);
    // Only the client may keep a copy, and it must revalidate the copy before use.
    answer.getHeaders().set(HttpHeaders.CACHE_CONTROL, "private, no-cache");
    return answer == response && request.getMethod() != HttpMethod.HEAD
        ? answer.contentType(MediaType.APPLICATION_JSON_TYPE).body(text)
        : answer;
  }

  /** Returns the body, also where it is withheld from HEAD. */
  private static Optional<Object> body(MutableHttpResponse<?> response) {
    return response
        .getBody()
        .<Object>map(body -> body)
        .or(() -> RouteAttributes.getHeadBody(response));
  }

  /** Compares weakly: the response must be equivalent, not equal in bytes. */
  private static boolean isKnown(HttpRequest<?> request, String tag) {
    String opaque = tag.substring(2);
    return request.getHeaders().getAll(HttpHeaders.IF_NONE_MATCH).stream()
        .flatMap(list -> Arrays.stream(list.split(",")))
        .map(String::strip)
        .anyMatch(known -> known.equals("*") || known.equals(tag) || known.equals(opaque));
  }

  private static String digest(byte[] text) {
    return HexFormat.of().formatHex(Sha256.of(text), 0, TAG_BYTES);
  }
}
