package social.feed.api.edge.security;

import io.micronaut.context.annotation.Context;

/**
 * Refuses to start without a source of keys: without any signature configuration the token library
 * accepts unsigned tokens. Refuses the development issuer next to another one as well: a deployed
 * stage names the keys of its issuer, and must not issue tokens of any account to anyone.
 */
@Context
final class KeySourceCheck {

  KeySourceCheck(AuthConfiguration auth, DevIssuerConfiguration devIssuer) {
    if (auth.jwksUrl() == null && !devIssuer.enabled()) {
      throw new IllegalStateException(
          "No source of token keys: set feed.auth.jwks-url, or feed.dev-issuer.enabled for development");
    }
    if (auth.jwksUrl() != null && devIssuer.enabled()) {
      throw new IllegalStateException(
          "feed.dev-issuer.enabled excludes feed.auth.jwks-url: the development issuer gives anyone a"
              + " token of any account");
    }
  }
}
