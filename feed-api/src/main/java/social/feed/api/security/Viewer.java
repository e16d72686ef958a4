package social.feed.api.security;

import java.security.Principal;
import social.feed.table.graph.Boundary;

/**
 * The caller of a route that needs a token, in one request. A principal, so that the OpenAPI
 * document does not take it for a parameter.
 */
public final class Viewer implements Principal {
  private final String userId;
  private final Boundary boundary;

  Viewer(String userId, Boundary boundary) {
    this.userId = userId;
    this.boundary = boundary;
  }

  /** The subject of the token; there need not be a profile yet. */
  public String userId() {
    return userId;
  }

  /** What stands between the caller and others, read once a request when it is first asked. */
  public Boundary boundary() {
    return boundary;
  }

  @Override
  public String getName() {
    return userId;
  }
}
