package social.feed.api.edge.security;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Positive;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.configuration.Secret;

/**
 * The development issuer, which issues a token to anyone who requests one. For the local platform
 * only.
 *
 * @param enabled whether the issuer exists; not together with {@code feed.auth.jwks-url}, which a
 *     deployed stage has, or the start fails
 * @param secret the HMAC key, at least 32 bytes (RFC 7518 section 3.2); required where the issuer
 *     is enabled
 * @param lifetime how long a token is valid
 */
@ConfigurationProperties("feed.dev-issuer")
record DevIssuerConfiguration(
    @Bindable(defaultValue = "false") boolean enabled,
    @Nullable @Secret String secret,
    @Bindable(defaultValue = "24h") @Positive Duration lifetime) {

  DevIssuerConfiguration {
    if (enabled && secret == null) {
      throw new IllegalArgumentException("feed.dev-issuer.enabled needs feed.dev-issuer.secret");
    }
  }

  /** Omits the secret, since the text may be logged. */
  @Override
  public String toString() {
    return "DevIssuerConfiguration";
  }
}
