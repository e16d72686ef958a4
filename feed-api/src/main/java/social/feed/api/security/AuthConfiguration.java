package social.feed.api.security;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Whose tokens are believed.
 *
 * @param jwksUrl where the issuer publishes its keys; without it only the development issuer is
 *     believed
 * @param issuer what {@code iss} must be, when given
 * @param audience what {@code aud} must contain, or {@code client_id} be (Cognito's access tokens
 *     have no {@code aud}), when given
 */
@ConfigurationProperties("feed.auth")
record AuthConfiguration(
    @Nullable URI jwksUrl, @Nullable String issuer, @Nullable String audience) {}
