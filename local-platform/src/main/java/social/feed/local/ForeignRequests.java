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
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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
 * rebinding).
 *
 * <p>Two rules, both needed. To a browser, a page at a rebound name has the origin of this server,
 * so only {@code Host} shows that the name is not its own. And any page can send requests to the
 * own names, which only {@code Sec-Fetch-Site} shows, or {@code Origin} where a browser does not
 * send that.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
final class ForeignRequests implements Ordered {
  /** No other site can have these names, as RFC 6761 reserves {@code localhost}. */
  private static final Pattern LOOPBACK = Pattern.compile("(.+\\.)?localhost\\.?");

  private static final Pattern PORT = Pattern.compile(":\\d*$");
  private static final Pattern BRACKETS = Pattern.compile("\\[([^\\[\\]]+)]");

  private static final String DEVELOPMENT = "/v1/dev/";
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private final String host;
  private final Optional<InetAddress> bound;
  private final Supplier<UUID> problemIds;

  ForeignRequests(@Value("${micronaut.server.host}") String host, Supplier<UUID> problemIds) {
    this.host = host.toLowerCase(Locale.ROOT);
    this.bound = literal(host);
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
              .formatted(listensAnywhere() ? "an IP address" : host, address));
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

  /**
   * A server at all addresses of the machine does not know which they are, and accepts each: a page
   * at an address was served from there, as only names can be rebound.
   */
  private boolean isOwn(String written) {
    var name = written.toLowerCase(Locale.ROOT);
    if (name.equals(host) || LOOPBACK.matcher(name).matches()) {
      return true;
    }
    var brackets = BRACKETS.matcher(name);
    boolean isSixth = brackets.matches();
    return (isSixth || name.indexOf(':') < 0)
        && literal(isSixth ? brackets.group(1) : name)
            .filter(
                address ->
                    address.isLoopbackAddress()
                        || listensAnywhere()
                        || bound.filter(address::equals).isPresent())
            .isPresent();
  }

  private boolean listensAnywhere() {
    return bound.filter(InetAddress::isAnyLocalAddress).isPresent();
  }

  private static Optional<InetAddress> literal(String address) {
    try {
      return Optional.of(InetAddress.ofLiteral(address));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /**
   * {@code Sec-Fetch-Site} decides where a browser sends it: only the browser can set it, and it is
   * right behind a proxy too, which may change {@code Host} and add TLS. Other browsers send {@code
   * Origin} with what a page could use.
   */
  private static boolean isOfAnotherSite(HttpRequest<?> request, @Nullable String address) {
    var site = request.getHeaders().get("Sec-Fetch-Site");
    if (site != null) {
      return !OWN_SITES.contains(site);
    }
    var origin = request.getHeaders().get(HttpHeaders.ORIGIN);
    return origin != null
        && !origin.equalsIgnoreCase("http://" + address)
        && !origin.equalsIgnoreCase("https://" + address);
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
