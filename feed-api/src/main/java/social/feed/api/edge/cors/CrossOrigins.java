package social.feed.api.edge.cors;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.cors.CorsOriginConfiguration;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Lets browser apps of the configured origins call the API: the framework's own support for CORS,
 * with the methods and headers that the API uses. The token is a header that the app sets, so no
 * credentials of the browser are allowed. The gateways on AWS have the same lists.
 */
@Singleton
public final class CrossOrigins
    implements BeanCreatedEventListener<HttpServerConfiguration.CorsConfiguration> {
  /** The methods of the routes. */
  public static final List<String> METHODS =
      List.of("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT");

  /** The request headers that the API reads, and that a browser does not send by itself. */
  public static final List<String> REQUEST_HEADERS =
      List.of("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID");

  /** The response headers that an app may read, and that a browser would withhold. */
  public static final List<String> RESPONSE_HEADERS =
      List.of(
          "ETag",
          "Location",
          "RateLimit",
          "RateLimit-Policy",
          "Retry-After",
          "WWW-Authenticate",
          "X-Consumed-Read-Units",
          "X-Consumed-Write-Units",
          "X-Request-Id");

  /** How long a browser may remember the answer to a preflight; browsers have lower maximums. */
  public static final Duration MAX_AGE = Duration.ofHours(2);

  private final CorsConfiguration configuration;

  CrossOrigins(CorsConfiguration configuration) {
    this.configuration = configuration;
  }

  @Override
  public HttpServerConfiguration.CorsConfiguration onCreated(
      BeanCreatedEvent<HttpServerConfiguration.CorsConfiguration> event) {
    HttpServerConfiguration.CorsConfiguration cors = event.getBean();
    // Enabled without an origin, the framework would allow all.
    cors.setEnabled(!configuration.origins().isEmpty());
    cors.setSingleHeader(true);
    CorsOriginConfiguration apps = new CorsOriginConfiguration();
    apps.setAllowedOrigins(configuration.origins());
    apps.setAllowedMethods(METHODS.stream().map(HttpMethod::parse).toList());
    apps.setAllowedHeaders(REQUEST_HEADERS);
    apps.setExposedHeaders(RESPONSE_HEADERS);
    apps.setAllowCredentials(false);
    apps.setAllowPrivateNetwork(false);
    apps.setMaxAge(MAX_AGE.toSeconds());
    cors.setConfigurations(Map.of("apps", apps));
    return cors;
  }
}
