package social.feed.local;

import io.micronaut.context.annotation.Value;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.problem.Problem;

/**
 * Refuses requests that a web page of another site makes a browser send to this machine. The local
 * platform issues tokens to anyone and shows its rows, and loopback alone does not keep such pages
 * out: a browser sends their requests, and a name of theirs may resolve to 127.0.0.1 (DNS
 * rebinding), which makes their origin the one of this server.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class ForeignRequests implements Ordered {
  /** No other site can have these names, as RFC 6761 reserves {@code localhost}. */
  private static final Pattern LOOPBACK =
      Pattern.compile("(.+\\.)?localhost|127(\\.\\d{1,3}){3}|\\[::1]");

  private static final Pattern PORT = Pattern.compile(":\\d*$");

  private static final String DEVELOPMENT = "/v1/dev/";
  private static final List<String> FOREIGN_SITES = List.of("cross-site", "same-site");

  private final String host;
  private final Supplier<UUID> problemIds;

  ForeignRequests(@Value("${micronaut.server.host}") String host, Supplier<UUID> problemIds) {
    this.host = host.toLowerCase(Locale.ROOT);
    this.problemIds = problemIds;
  }

  /** Nothing is read for such a request; an app of an allowed origin can read the refusal. */
  @Override
  public int getOrder() {
    return FilterOrder.GATEWAY_LIMITS;
  }

  @RequestFilter
  @Nullable HttpResponse<?> refusal(HttpRequest<?> request) {
    var address = request.getHeaders().get(HttpHeaders.HOST);
    if (address != null && !isOwn(PORT.matcher(address).replaceFirst(""))) {
      return refusal(
          request,
          "foreign_host",
          "The request is for another server",
          "Send it to localhost or %s, with any port. The local platform has no name %s."
              .formatted(host, address));
    }
    if (request.getUri().getPath().startsWith(DEVELOPMENT) && isOfAnotherSite(request, address)) {
      return refusal(
          request,
          "foreign_site",
          "The request comes from a page of another origin",
          "Pages of other origins cannot use the routes below /v1/dev. Call them from a program, or serve"
              + " the page and the API at one origin through a proxy.");
    }
    return null;
  }

  private boolean isOwn(String name) {
    var lower = name.toLowerCase(Locale.ROOT);
    return lower.equals(host) || LOOPBACK.matcher(lower).matches();
  }

  /** Browsers without {@code Sec-Fetch-Site} send {@code Origin} with what a page could use. */
  private static boolean isOfAnotherSite(HttpRequest<?> request, @Nullable String address) {
    var site = request.getHeaders().get("Sec-Fetch-Site");
    var origin = request.getHeaders().get(HttpHeaders.ORIGIN);
    return (site != null && FOREIGN_SITES.contains(site))
        || (origin != null && !origin.equalsIgnoreCase("http://" + address));
  }

  private MutableHttpResponse<?> refusal(
      HttpRequest<?> request, String code, String title, String detail) {
    var response =
        HttpResponse.status(HttpStatus.FORBIDDEN).contentType("application/problem+json");
    return request.getMethod() == HttpMethod.HEAD
        ? response
        : response.body(
            new Problem(
                "urn:feed:problem:" + code,
                title,
                HttpStatus.FORBIDDEN.getCode(),
                code,
                detail,
                "urn:uuid:" + problemIds.get(),
                null));
  }
}
