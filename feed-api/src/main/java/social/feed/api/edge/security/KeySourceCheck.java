package social.feed.api.edge.security;

import io.micronaut.context.annotation.Context;

/**
 * Refuses to start without a source of keys: without any signature configuration the token library
 * accepts unsigned tokens.
 */
@Context
final class KeySourceCheck {

  KeySourceCheck(AuthConfiguration auth, DevIssuerConfiguration devIssuer) {
    if (auth.jwksUrl() == null && !devIssuer.enabled()) {
      throw new IllegalStateException(
          "No source of token keys: set feed.auth.jwks-url, or feed.dev-issuer.enabled for development");
    }
  }
}
