package social.feed.api.edge.security;

import static com.nimbusds.jose.jwk.source.JWKSourceBuilder.DEFAULT_CACHE_REFRESH_TIMEOUT;
import static com.nimbusds.jose.jwk.source.JWKSourceBuilder.DEFAULT_HTTP_SIZE_LIMIT;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.SignedJWT;
import io.micronaut.context.annotation.Requires;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.security.token.jwt.signature.ReactiveSignatureConfiguration;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.MalformedURLException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.kernel.id.Sha256;

/**
 * Verifies tokens with the keys of a JWKS. The keys are read again after five minutes, and accepted
 * for an hour while that fails. Unknown key ids cause at most two reads in 30 s. The framework's
 * own client would read the keys for each request. Only asymmetric algorithms are accepted, so that
 * a public key cannot be used as an HMAC secret.
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

  /** Some megabytes; the token of an evicted entry is verified again. */
  private static final int VERIFIED_MAX = 10_000;

  /** The usual life of a token. */
  private static final Duration VERIFIED_FOR = Duration.ofHours(1);

  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private static final Mono<Boolean> GENUINE = Mono.just(true);

  private final IssuerKeys issuer;
  private final JWKSource<SecurityContext> keys;

  /**
   * The keys that signed the tokens of the last requests. A caller sends the same token many times,
   * and a signature takes longer than all other checks. An entry counts only while the issuer
   * publishes its key.
   */
  private final Cache<ByteBuffer, JWK> verified =
      Caffeine.newBuilder().maximumSize(VERIFIED_MAX).expireAfterWrite(VERIFIED_FOR).build();

  private final Duration cached;
  private final DefaultJWSVerifierFactory verifiers = new DefaultJWSVerifierFactory();
  private final Scheduler blocking;

  JwksSignature(
      AuthConfiguration configuration,
      InstantSource clock,
      @Named(TaskExecutors.BLOCKING) ExecutorService blocking)
      throws MalformedURLException {
    var url = Objects.requireNonNull(configuration.jwksUrl(), "feed.auth.jwks-url").toURL();
    this.cached = configuration.keysCached();
    long millis = cached.toMillis();
    // Zero would be no limit.
    int timeout = Math.toIntExact(Math.max(1, configuration.keysTimeout().toMillis()));
    var retriever = new DefaultResourceRetriever(timeout, timeout, DEFAULT_HTTP_SIZE_LIMIT);
    this.issuer =
        new IssuerKeys(new URLBasedJWKSetSource<>(url, retriever), configuration.keysKept(), clock);
    this.keys =
        JWKSourceBuilder.create(issuer)
            .cache(millis, Math.min(millis / 2, DEFAULT_CACHE_REFRESH_TIMEOUT))
            // It would query an unavailable issuer with each request, and use up the limit.
            .refreshAheadCache(false)
            .rateLimited(millis / 10)
            .retrying(true)
            .outageTolerant(configuration.keysKept().toMillis())
            .build();
    this.blocking = Schedulers.fromExecutorService(blocking);
  }

  @Override
  public Publisher<Boolean> verify(SignedJWT token) {
    ByteBuffer fingerprint = fingerprint(token);
    return isKnown(fingerprint)
        ? GENUINE
        : Mono.fromCallable(() -> isGenuine(token, fingerprint)).subscribeOn(blocking);
  }

  /**
   * Returns whether a token was verified by a key that the issuer publishes, as far as that is
   * known without a read of the keys. Needs no other thread, since it never waits.
   */
  private boolean isKnown(ByteBuffer fingerprint) {
    JWK key = verified.getIfPresent(fingerprint);
    return key != null && issuer.knownFor(cached).getKeys().contains(key);
  }

  private boolean isGenuine(SignedJWT token, ByteBuffer fingerprint) {
    JWSHeader header = token.getHeader();
    if (!ALGORITHMS.contains(header.getAlgorithm())) {
      return false;
    }
    try {
      List<JWK> candidates = candidates(header);
      // While the issuer is unavailable, a token with an unknown key may be valid. While it is
      // available, only a key published since the last read is unknown, and no issuer signs with
      // such a key yet.
      if (candidates.isEmpty() && !issuer.isAvailable()) {
        throw unavailable();
      }
      JWK known = verified.getIfPresent(fingerprint);
      if (known != null && candidates.contains(known)) {
        return true;
      }
      for (JWK key : candidates) {
        if (isSignedBy(key, token)) {
          verified.put(fingerprint, key);
          return true;
        }
      }
      return false;
    } catch (JOSEException e) {
      return false;
    }
  }

  /** A key that cannot verify this token, such as one of another curve, hinders no other key. */
  private boolean isSignedBy(JWK key, SignedJWT token) {
    try {
      return key instanceof AsymmetricJWK pair
          && token.verify(verifiers.createJWSVerifier(token.getHeader(), pair.toPublicKey()));
    } catch (JOSEException e) {
      return false;
    }
  }

  /** Returns what stands for a token in memory: it is short, and no one can sign in with it. */
  private static ByteBuffer fingerprint(SignedJWT token) {
    return ByteBuffer.wrap(Sha256.of(token.getParsedString()));
  }

  /**
   * Returns the keys for a token: the current ones, or the last ones where a new read is not
   * allowed yet.
   */
  private List<JWK> candidates(JWSHeader header) throws KeySourceException {
    var selector = new JWKSelector(JWKMatcher.forJWSHeader(header));
    try {
      return keys.get(selector, null);
    } catch (JWKSetUnavailableException | RateLimitReachedException e) {
      return selector.select(issuer.known());
    }
  }

  private static ProblemException unavailable() {
    return new ProblemException(
        ProblemCode.IDENTITY_UNAVAILABLE, "The keys of the issuer cannot be read", RETRY_AFTER);
  }
}
