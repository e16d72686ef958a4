package social.feed.api.edge;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.filter.ServerFilterPhase;
import io.micronaut.http.server.cors.CorsFilter;

/**
 * The order of all filters, outermost first. A filter earlier in the list sees the request earlier
 * and the response later.
 */
public final class FilterOrder {
  /** {@code RequestLogging}: the id of a request, and its line, when all other filters are done. */
  public static final int REQUEST_LOG = Ordered.HIGHEST_PRECEDENCE;

  /** {@code ResponseHeaders}: headers of all responses, those of other filters included. */
  public static final int RESPONSE_HEADERS = REQUEST_LOG + 1;

  /** {@code RequestTracing}: the span of a request, where tracing is on. */
  public static final int TRACE = RESPONSE_HEADERS + 1;

  /**
   * The framework's filter for CORS. Its headers are on the responses of all filters below, or a
   * browser would hide a refusal from its app.
   */
  public static final int CORS = CorsFilter.CORS_FILTER_ORDER;

  /** {@code GatewayLimits}: only where the API is a function, which has no server that does it. */
  public static final int GATEWAY_LIMITS = CORS + 1;

  /** {@code CostHeaders}: measures everything that may use the table. */
  public static final int COST_HEADERS = GATEWAY_LIMITS + 1;

  /** {@code RateHeaders}: the remaining requests, on refusals too. */
  public static final int RATE_HEADERS = COST_HEADERS + 1;

  /** {@code InvalidTokenLimit}: counts the requests that the token check refuses. */
  public static final int INVALID_TOKEN_LIMIT = RATE_HEADERS + 1;

  /** {@code EntityTags}: replaces a response that the client already has. */
  public static final int ENTITY_TAGS = INVALID_TOKEN_LIMIT + 1;

  /**
   * {@code CallerLogging}: directly after the framework's token check, which identifies the caller.
   */
  public static final int CALLER_LOG = ServerFilterPhase.SECURITY.after() - 1;

  /** {@code RateLimit}: before any other work for the caller. */
  public static final int RATE_LIMIT = CALLER_LOG + 1;

  /** {@code OperatorCheck}: before the request is read; another caller learns nothing. */
  public static final int OPERATOR_CHECK = RATE_LIMIT + 1;

  /**
   * {@code QueryCheck}, of query and body: after the token check; a caller without a token learns
   * nothing.
   */
  public static final int QUERY_CHECK = OPERATOR_CHECK + 1;

  private FilterOrder() {}
}
