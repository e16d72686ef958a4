package social.feed.api.edge.security;

import io.micronaut.context.annotation.Context;

/**
 * Refuses to start without a source of keys: the token library takes unsigned tokens for genuine
 * where it knows no signature at all.
 */
@Context
final class KeySourceCheck {

  KeySourceCheck(AuthConfiguration auth, DevIssuerConfiguration devIssuer) {
    if (auth.jwksUrl() == null && !devIssuer.enabled()) {
      throw new IllegalStateException(
          "Whose tokens are valid? Set feed.auth.jwks-url, or feed.dev-issuer.enabled for development");
    }
  }
}
