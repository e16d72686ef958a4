package social.feed.api.edge.security;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Positive;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The issuer whose tokens are accepted.
 *
 * @param jwksUrl the address at which the issuer publishes its keys; without it only tokens of the
 *     development issuer are accepted
 * @param issuer the required {@code iss}; absent to accept any
 * @param audience the value that {@code aud} must contain or {@code client_id} must be (Cognito's
 *     access tokens have no {@code aud}); absent to accept any
 * @param operatorScope the scope in the claim {@code scope} of tokens of operators. Cognito puts
 *     the identifier of a resource server and a slash in front of it
 * @param operatorAudience the {@code aud} or {@code client_id} of tokens that are for operators
 *     only, such as those of a client of Cognito without a member; absent where operators' tokens
 *     have the same audience as others. Such a token needs the scope of operators, and has only
 *     their routes
 * @param keysCached how long the issuer's keys are used before they are read again; an unknown key
 *     id causes an earlier read, at most twice in a tenth of this
 * @param keysKept how long known keys are accepted while the issuer does not respond; a key that is
 *     revoked meanwhile stays accepted until then
 * @param keysTimeout how long a read of the keys may wait for its connection, and how long for each
 *     next part of the response; a read that fails is repeated once
 */
@ConfigurationProperties("feed.auth")
record AuthConfiguration(
    @Nullable URI jwksUrl,
    @Nullable String issuer,
    @Nullable String audience,
    @Bindable(defaultValue = "feed:operate") String operatorScope,
    @Nullable String operatorAudience,
    @Bindable(defaultValue = "5m") Duration keysCached,
    @Bindable(defaultValue = "1h") Duration keysKept,
    @Bindable(defaultValue = "500ms") @Positive Duration keysTimeout) {
  private static final long LEAST_CACHED = 100;

  AuthConfiguration {
    if (keysCached.toMillis() < LEAST_CACHED || keysKept.compareTo(keysCached) < 0) {
      throw new IllegalArgumentException(
          "feed.auth.keys-cached must be at least 100 ms, feed.auth.keys-kept at least as long");
    }
    if (operatorAudience != null && (audience == null || audience.equals(operatorAudience))) {
      throw new IllegalArgumentException(
          "feed.auth.operator-audience needs feed.auth.audience, and another value");
    }
  }
}
