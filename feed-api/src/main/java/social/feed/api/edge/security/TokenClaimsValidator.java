package social.feed.api.edge.security;

import io.micronaut.http.HttpRequest;
import io.micronaut.security.token.Claims;
import io.micronaut.security.token.jwt.validator.GenericJwtClaimsValidator;
import jakarta.inject.Singleton;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Requires of a signed token a subject that is a user id, an expiration time, and the configured
 * issuer and audience. The framework checks that the expiration time has not passed.
 */
@Singleton
final class TokenClaimsValidator implements GenericJwtClaimsValidator<HttpRequest<?>> {
  private final AuthConfiguration configuration;

  TokenClaimsValidator(AuthConfiguration configuration) {
    this.configuration = configuration;
  }

  @Override
  public boolean validate(Claims claims, @Nullable HttpRequest<?> request) {
    return claims.get(Claims.SUBJECT) instanceof String subject
        && UserIds.isWellFormed(subject)
        && claims.get(Claims.EXPIRATION_TIME) != null
        && isIssuer(claims.get(Claims.ISSUER))
        && isAudience(claims);
  }

  private boolean isIssuer(@Nullable Object issuer) {
    return configuration.issuer() == null || configuration.issuer().equals(issuer);
  }

  private boolean isAudience(Claims claims) {
    String required = configuration.audience();
    if (required == null) {
      return true;
    }
    Object audience = claims.get(Claims.AUDIENCE);
    boolean contained =
        audience instanceof Collection<?> many
            ? many.contains(required)
            : required.equals(audience);
    return contained || required.equals(claims.get("client_id"));
  }
}
