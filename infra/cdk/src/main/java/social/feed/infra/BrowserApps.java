package social.feed.infra;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.apigateway.CorsOptions;
import software.amazon.awscdk.services.apigateway.GatewayResponseOptions;
import software.amazon.awscdk.services.apigateway.IResource;
import software.amazon.awscdk.services.apigateway.ResponseType;
import software.amazon.awscdk.services.apigateway.RestApi;
import software.amazon.awscdk.services.apigatewayv2.CorsHttpMethod;
import software.amazon.awscdk.services.apigatewayv2.CorsPreflightOptions;
import software.amazon.awscdk.services.s3.CorsRule;
import software.amazon.awscdk.services.s3.HttpMethods;

/**
 * The browser apps of other origins that may call the API. Gateways and tasks allow the same
 * methods and headers; a test compares both with those of the API.
 *
 * @param origins their origins, such as {@code https://app.example.com}; none allows no other
 *     origin
 */
record BrowserApps(List<String> origins) {
  static final List<String> METHODS = List.of("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT");

  static final List<String> REQUEST_HEADERS =
      List.of("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID");

  static final List<String> RESPONSE_HEADERS =
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

  /** What an announced upload is sent with. */
  static final List<String> UPLOAD_HEADERS = List.of("content-type", "x-amz-checksum-sha256");

  static final Duration MAX_AGE = Duration.hours(2);

  private static final Pattern ORIGIN = Pattern.compile("https?://[a-z0-9.-]+(:\\d{1,5})?");

  /**
   * @throws MissingInputException if one is no origin, or a wildcard
   */
  BrowserApps {
    for (var origin : origins) {
      if (!ORIGIN.matcher(origin).matches()) {
        throw new MissingInputException(
            ("%s must be origins such as https://app.example.com, separated by commas, without a"
                    + " path or a wildcard, not '%s'")
                .formatted(ApiInputs.CORS_ORIGINS, origin));
      }
    }
  }

  /** Returns the apps of a list that is separated by commas. */
  static BrowserApps of(String list) {
    return new BrowserApps(
        Arrays.stream(list.split(",")).map(String::strip).filter(it -> !it.isEmpty()).toList());
  }

  boolean exist() {
    return !origins.isEmpty();
  }

  /** Returns the setting of an HTTP API, which answers preflights itself. */
  CorsPreflightOptions ofHttpApi() {
    return CorsPreflightOptions.builder()
        .allowOrigins(origins)
        .allowMethods(METHODS.stream().map(CorsHttpMethod::valueOf).toList())
        .allowHeaders(REQUEST_HEADERS)
        .exposeHeaders(RESPONSE_HEADERS)
        .allowCredentials(false)
        .maxAge(MAX_AGE)
        .build();
  }

  /** Returns the setting of the bucket of media, to which apps send images and get them from. */
  List<CorsRule> ofBucket() {
    return List.of(
        CorsRule.builder()
            .allowedOrigins(origins)
            .allowedMethods(List.of(HttpMethods.GET, HttpMethods.HEAD, HttpMethods.PUT))
            .allowedHeaders(UPLOAD_HEADERS)
            .maxAge(MAX_AGE.toSeconds())
            .build());
  }

  /** Answers preflights of a route of a REST API, which is read only. */
  void allow(IResource route) {
    route.addCorsPreflight(
        CorsOptions.builder()
            .allowOrigins(origins)
            .allowMethods(List.of("GET"))
            .allowHeaders(REQUEST_HEADERS)
            .exposeHeaders(RESPONSE_HEADERS)
            .allowCredentials(false)
            .maxAge(MAX_AGE)
            .build());
  }

  /**
   * Lets apps read the refusals of a REST API itself. A refusal can name one origin or all; it
   * holds no data of a member.
   */
  void allowRefusals(RestApi api) {
    var headers =
        Map.of(
            "Access-Control-Allow-Origin",
            origins.size() == 1 ? quoted(origins.getFirst()) : "'*'");
    for (var type : List.of(ResponseType.DEFAULT_4_XX, ResponseType.DEFAULT_5_XX)) {
      api.addGatewayResponse(
          type.getResponseType(),
          GatewayResponseOptions.builder().type(type).responseHeaders(headers).build());
    }
  }

  private static String quoted(String value) {
    return "'" + value + "'";
  }
}
