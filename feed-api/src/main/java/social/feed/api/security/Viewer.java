package social.feed.api.security;

import java.security.Principal;
import java.time.Instant;
import java.util.function.Function;
import social.feed.table.graph.Boundary;

/**
 * The caller of a route that needs a token, in one request. A principal, so that the OpenAPI
 * document does not take it for a parameter.
 */
public final class Viewer implements Principal {
  private final String userId;
  private final Instant until;
  private final Function<String, Boundary> boundaries;
  private final Boundary boundary;

  Viewer(String userId, Instant until, Function<String, Boundary> boundaries) {
    this.userId = userId;
    this.until = until;
    this.boundaries = boundaries;
    this.boundary = boundaries.apply(userId);
  }

  /** The subject of the token; there need not be a profile yet. */
  public String userId() {
    return userId;
  }

  /** When the token ends. */
  public Instant until() {
    return until;
  }

  /** What stands between the caller and others, read once a request when it is first asked. */
  public Boundary boundary() {
    return boundary;
  }

  /** The same caller later, for requests that last: what stands in between is read anew. */
  public Viewer later() {
    return new Viewer(userId, until, boundaries);
  }

  @Override
  public String getName() {
    return userId;
  }
}
