package social.feed.api.edge;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.filter.ServerFilterPhase;

/**
 * The order of all filters, outermost first. A filter earlier in the list sees the request earlier
 * and the response later.
 */
public final class FilterOrder {
  /** {@code ResponseHeaders}: headers of all responses, those of other filters included. */
  public static final int RESPONSE_HEADERS = Ordered.HIGHEST_PRECEDENCE;

  /** {@code CostHeaders}: measures everything that may use the table. */
  public static final int COST_HEADERS = RESPONSE_HEADERS + 1;

  /** {@code RateHeaders}: the remaining requests, on refusals too. */
  public static final int RATE_HEADERS = COST_HEADERS + 1;

  /** {@code InvalidTokenLimit}: counts the requests that the token check refuses. */
  public static final int INVALID_TOKEN_LIMIT = RATE_HEADERS + 1;

  /** {@code EntityTags}: replaces a response that the client already has. */
  public static final int ENTITY_TAGS = 0;

  /** {@code RateLimit}: directly after the framework's token check, which identifies the caller. */
  public static final int RATE_LIMIT = ServerFilterPhase.SECURITY.after() - 1;

  /** {@code QueryCheck}: after the token check; a caller without a token learns nothing. */
  public static final int QUERY_CHECK = RATE_LIMIT + 1;

  /** {@code BodyCheck}: after the query, whose refusal contains the errors of the body too. */
  public static final int BODY_CHECK = QUERY_CHECK + 1;

  private FilterOrder() {}
}
