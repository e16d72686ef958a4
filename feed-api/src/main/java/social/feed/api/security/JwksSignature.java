package social.feed.api.security;

import static com.nimbusds.jose.jwk.source.JWKSourceBuilder.DEFAULT_CACHE_REFRESH_TIMEOUT;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.health.HealthStatus;
import com.nimbusds.jwt.SignedJWT;
import io.micronaut.context.annotation.Requires;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.security.token.jwt.signature.ReactiveSignatureConfiguration;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.MalformedURLException;
import java.security.Key;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import social.feed.api.problem.ProblemCode;
import social.feed.api.problem.ProblemException;

/**
 * Verifies tokens with the keys of a JWKS. The keys are read again after five minutes, and believed
 * for an hour while that fails; unknown key ids have them read at most twice in 30 s. The
 * framework's own client would fetch them for each request. Only asymmetric algorithms are taken,
 * so that a public key cannot be passed off as an HMAC secret.
 */
@Singleton
@Requires(property = "feed.auth.jwks-url")
final class JwksSignature implements ReactiveSignatureConfiguration<SignedJWT> {
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384);

  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final JWSVerificationKeySelector<SecurityContext> keys;
  private final DefaultJWSVerifierFactory verifiers = new DefaultJWSVerifierFactory();
  private final Scheduler blocking;

  /** Whether the keys could be read when it was last tried. */
  private volatile boolean isIssuerThere = true;

  JwksSignature(
      AuthConfiguration configuration, @Named(TaskExecutors.BLOCKING) ExecutorService blocking)
      throws MalformedURLException {
    var url = Objects.requireNonNull(configuration.jwksUrl(), "feed.auth.jwks-url").toURL();
    long cached = configuration.keysCached().toMillis();
    this.keys =
        new JWSVerificationKeySelector<>(
            ALGORITHMS,
            JWKSourceBuilder.<SecurityContext>create(url)
                .cache(cached, Math.min(cached / 2, DEFAULT_CACHE_REFRESH_TIMEOUT))
                .refreshAheadCache(cached / 10, false)
                .rateLimited(cached / 10)
                .retrying(true)
                .outageTolerant(configuration.keysKept().toMillis())
                .healthReporting(
                    report -> isIssuerThere = report.getHealthStatus() == HealthStatus.HEALTHY)
                .build());
    this.blocking = Schedulers.fromExecutorService(blocking);
  }

  @Override
  public Publisher<Boolean> verify(SignedJWT token) {
    return Mono.fromCallable(() -> isGenuine(token)).subscribeOn(blocking);
  }

  private boolean isGenuine(SignedJWT token) {
    try {
      for (Key key : keys.selectJWSKeys(token.getHeader(), null)) {
        if (token.verify(verifiers.createJWSVerifier(token.getHeader(), key))) {
          return true;
        }
      }
      return false;
    } catch (JWKSetUnavailableException e) {
      throw unavailable();
    } catch (RateLimitReachedException e) {
      // It was tried twice within 30 s. Where that failed, the token may be as good as any; where
      // not, only a key that was published since is not known, and no issuer signs with it yet.
      if (isIssuerThere) {
        return false;
      }
      throw unavailable();
    } catch (JOSEException e) {
      return false;
    }
  }

  private static ProblemException unavailable() {
    return new ProblemException(
        ProblemCode.IDENTITY_UNAVAILABLE, "The keys of the issuer cannot be read", RETRY_AFTER);
  }
}
