package social.feed.api.edge.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Tests which tokens are verified at once, and which on a thread that may wait. */
class JwksSignatureTest {
  private static final Duration CACHED = Duration.ofMinutes(5);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final ECKey key = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
  private final AtomicReference<JWKSet> published = new AtomicReference<>(new JWKSet(key));
  private final HttpServer issuer =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final ThreadPoolExecutor blocking =
      new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
  private final JwksSignature signature;

  JwksSignatureTest() throws JOSEException, IOException {
    issuer.createContext(
        "/",
        exchange -> {
          byte[] keys = requireNonNull(published.get()).toString(true).getBytes(UTF_8);
          exchange.sendResponseHeaders(200, keys.length);
          exchange.getResponseBody().write(keys);
          exchange.close();
        });
    issuer.start();
    var address = URI.create("http://127.0.0.1:" + issuer.getAddress().getPort());
    signature =
        new JwksSignature(
            new AuthConfiguration(
                address,
                null,
                null,
                "feed:operate",
                null,
                CACHED,
                Duration.ofHours(1),
                Duration.ofSeconds(30)),
            () -> requireNonNull(now.get()),
            blocking);
  }

  @AfterEach
  void stop() {
    blocking.shutdownNow();
    issuer.stop(0);
  }

  private SignedJWT token(String subject) throws JOSEException, ParseException {
    return SignedJWT.parse(
        Tokens.signed(
            Tokens.claims(subject).build(),
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("one").build(),
            new ECDSASigner(key)));
  }

  private boolean isGenuine(SignedJWT token) {
    return requireNonNull(Mono.from(signature.verify(token)).block());
  }

  @Test
  void token_thatWasVerified_needsNoOtherThread() throws JOSEException, ParseException {
    SignedJWT token = token("alice");
    assertThat(isGenuine(token)).isTrue();
    assertThat(blocking.getTaskCount()).isOne();

    for (int i = 0; i < 10; i++) {
      assertThat(isGenuine(token)).isTrue();
    }
    assertThat(blocking.getTaskCount()).isOne();

    assertThat(isGenuine(token("bob"))).isTrue();
    assertThat(blocking.getTaskCount()).isEqualTo(2);
  }

  /** A read of the keys would block the event loop. */
  @Test
  void token_thatWasVerified_waitsElsewhereForKeysThatMustBeReadAgain()
      throws JOSEException, ParseException {
    SignedJWT token = token("alice");
    assertThat(isGenuine(token)).isTrue();
    now.updateAndGet(time -> time.plus(CACHED).plusMillis(1));

    assertThat(isGenuine(token)).isTrue();
    assertThat(blocking.getTaskCount()).isEqualTo(2);
  }

  /** An unknown key id causes the read that brings the new keys. */
  @Test
  void token_thatWasVerified_isRefusedOnceItsKeyIsGone() throws JOSEException, ParseException {
    SignedJWT token = token("alice");
    assertThat(isGenuine(token)).isTrue();
    ECKey next = new ECKeyGenerator(Curve.P_256).keyID("two").generate();
    published.set(new JWKSet(next));
    var header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("two").build();
    var other = Tokens.signed(Tokens.claims("bob").build(), header, new ECDSASigner(next));

    assertThat(isGenuine(SignedJWT.parse(other))).isTrue();
    assertThat(isGenuine(token)).isFalse();
  }
}
