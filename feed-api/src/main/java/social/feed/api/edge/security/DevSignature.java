package social.feed.api.edge.security;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.security.token.jwt.signature.SignatureGeneratorConfiguration;
import io.micronaut.security.token.jwt.signature.secret.SecretSignature;
import io.micronaut.security.token.jwt.signature.secret.SecretSignatureConfiguration;
import jakarta.inject.Singleton;

/** Signs and verifies the tokens of the development issuer with HS256. */
@Factory
@Requires(property = "feed.dev-issuer.enabled", value = "true")
final class DevSignature {

  @Singleton
  SignatureGeneratorConfiguration devSignature(DevIssuerConfiguration configuration) {
    var secret = new SecretSignatureConfiguration("dev-issuer");
    secret.setSecret(configuration.secret());
    return new SecretSignature(secret);
  }
}
