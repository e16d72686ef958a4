package social.feed.api.security;

import java.security.Principal;

/**
 * The caller of a route that needs a token. A principal, so that the OpenAPI document does not take
 * it for a parameter.
 *
 * @param userId the subject of the token; there need not be a profile yet
 */
public record Viewer(String userId) implements Principal {

  @Override
  public String getName() {
    return userId;
  }
}
