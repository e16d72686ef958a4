package social.feed.api.edge.security;

import io.micronaut.http.HttpRequest;
import io.micronaut.security.token.Claims;
import io.micronaut.security.token.jwt.validator.GenericJwtClaimsValidator;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Requires of a signed token a subject in the form of a user id, an expiration time, and the
 * configured issuer and audience, or the audience and scope of operators. The framework checks that
 * the expiration time has not passed.
 */
@Singleton
final class TokenClaimsValidator implements GenericJwtClaimsValidator<HttpRequest<?>> {
  private final AuthConfiguration configuration;

  TokenClaimsValidator(AuthConfiguration configuration) {
    this.configuration = configuration;
  }

  @Override
  public boolean validate(Claims claims, @Nullable HttpRequest<?> request) {
    return isUserId(claims.get(Claims.SUBJECT))
        && claims.get(Claims.EXPIRATION_TIME) != null
        && isIssuer(claims.get(Claims.ISSUER))
        && TokenAudience.of(claims::get, configuration) != TokenAudience.OTHER;
  }

  /** A caller with a reserved id must learn why no fresh token helps. */
  private static boolean isUserId(@Nullable Object subject) {
    if (subject instanceof String id && UserIds.isReserved(id)) {
      throw new ProblemException(
          ProblemCode.UNAUTHENTICATED,
          "The subject of the token, `" + id + "`, is reserved and cannot be a user id");
    }
    return subject instanceof String id && UserIds.canBeSubject(id);
  }

  private boolean isIssuer(@Nullable Object issuer) {
    return configuration.issuer() == null || configuration.issuer().equals(issuer);
  }
}
