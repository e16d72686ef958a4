package social.feed.api.edge.security;

import java.security.Principal;
import java.time.Instant;
import java.util.function.Function;
import social.feed.table.graph.ViewerRelations;

/**
 * The caller of a route that needs a token, in one request. A principal, so that the OpenAPI
 * document does not take it for a parameter.
 */
public final class Viewer implements Principal {
  private final String userId;
  private final Instant until;
  private final Function<String, ViewerRelations> boundaries;
  private final ViewerRelations boundary;

  Viewer(String userId, Instant until, Function<String, ViewerRelations> boundaries) {
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
  public ViewerRelations boundary() {
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
