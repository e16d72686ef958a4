package social.feed.api.edge.security;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The development issuer, which issues a token to anyone who requests one. For the local platform
 * only.
 *
 * @param enabled whether the issuer exists
 * @param secret the HMAC key, at least 32 bytes (RFC 7518 section 3.2)
 * @param lifetime how long a token is valid
 */
@ConfigurationProperties("feed.dev-issuer")
record DevIssuerConfiguration(
    @Bindable(defaultValue = "false") boolean enabled,
    @Nullable String secret,
    @Bindable(defaultValue = "24h") Duration lifetime) {
  private static final int SECRET_BYTES_MIN = 32;

  DevIssuerConfiguration {
    if (enabled && (secret == null || bytes(secret) < SECRET_BYTES_MIN)) {
      throw new IllegalArgumentException(
          "feed.dev-issuer.secret needs at least " + SECRET_BYTES_MIN + " bytes");
    }
    if (!lifetime.isPositive()) {
      throw new IllegalArgumentException("feed.dev-issuer.lifetime is not positive: " + lifetime);
    }
  }

  /** Omits the secret, since the text may be logged. */
  @Override
  public String toString() {
    return "DevIssuerConfiguration";
  }

  private static int bytes(String secret) {
    return secret.getBytes(StandardCharsets.UTF_8).length;
  }
}
