package social.feed.api.edge.log;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ids of requests: the one that the gateway gave, so that its log and this one have the same,
 * or otherwise a random one.
 */
@Singleton
public final class RequestIds {
  /** The response header that has the id. */
  public static final String HEADER = "X-Request-Id";

  /**
   * The form of all ids: what gateways write, and nothing that has a meaning in a header or log.
   */
  static final Pattern FORM = Pattern.compile("[A-Za-z0-9+/=_-]{8,64}");

  private static final String ATTRIBUTE = RequestIds.class.getName();

  private final @Nullable String header;

  RequestIds(LogConfiguration configuration) {
    this.header = configuration.requestIdHeader();
  }

  /** Returns the id of a request, which is always the same. */
  public String of(HttpRequest<?> request) {
    return request
        .getAttribute(ATTRIBUTE, String.class)
        .orElseGet(
            () -> {
              String id = create(request);
              request.setAttribute(ATTRIBUTE, id);
              return id;
            });
  }

  /** Adds the id of a request to its response. */
  public void addTo(HttpRequest<?> request, MutableHttpResponse<?> response) {
    response.getHeaders().set(HEADER, of(request));
  }

  /** A header that is repeated was not written by the gateway alone. */
  private String create(HttpRequest<?> request) {
    List<String> sent = header == null ? List.of() : request.getHeaders().getAll(header);
    return sent.size() == 1 && FORM.matcher(sent.getFirst()).matches()
        ? sent.getFirst()
        : UUID.randomUUID().toString();
  }
}
