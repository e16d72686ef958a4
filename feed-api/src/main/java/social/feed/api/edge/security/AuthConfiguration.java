package social.feed.api.edge.security;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whose tokens are believed.
 *
 * @param jwksUrl where the issuer publishes its keys; without it only the development issuer is
 *     believed
 * @param issuer what {@code iss} must be, when given
 * @param audience what {@code aud} must contain, or {@code client_id} be (Cognito's access tokens
 *     have no {@code aud}), when given
 * @param keysCached how long the issuer's keys are used before they are read again; unknown key ids
 *     have them read earlier, at most twice in a tenth of this
 * @param keysKept how long known keys are believed while the issuer does not answer; a key that it
 *     takes back meanwhile is believed as long
 */
@ConfigurationProperties("feed.auth")
record AuthConfiguration(
    @Nullable URI jwksUrl,
    @Nullable String issuer,
    @Nullable String audience,
    @Bindable(defaultValue = "5m") Duration keysCached,
    @Bindable(defaultValue = "1h") Duration keysKept) {
  private static final long LEAST_CACHED = 100;

  AuthConfiguration {
    if (keysCached.toMillis() < LEAST_CACHED || keysKept.compareTo(keysCached) < 0) {
      throw new IllegalArgumentException(
          "feed.auth: keys-cached is at least 100 ms, keys-kept at least keys-cached");
    }
  }
}
