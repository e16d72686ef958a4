package social.feed.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;

/** Signs tokens with RS256, as Cognito does, and publishes the key on loopback. */
final class Issuer implements AutoCloseable {
  private static final String NAME = "https://issuer.invalid";
  private static final String AUDIENCE = "benchmark";
  private static final int BITS = 2_048;
  private static final Duration VALID = Duration.ofHours(12);

  private final RSAKey key;
  private final HttpServer server;

  Issuer() throws IOException, JOSEException {
    this.key = new RSAKeyGenerator(BITS).keyID("one").generate();
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var jwks = new JWKSet(key.toPublicJWK()).toString().getBytes(UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, jwks.length);
          exchange.getResponseBody().write(jwks);
          exchange.close();
        });
    server.start();
  }

  /** Returns the settings of an API that accepts the tokens. */
  Map<String, String> settings() {
    return Map.of(
        "FEED_AUTH_AUDIENCE", AUDIENCE,
        "FEED_AUTH_ISSUER", NAME,
        "FEED_AUTH_JWKS_URL", "http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  String token(String userId) throws JOSEException {
    var now = Instant.now();
    var claims =
        new JWTClaimsSet.Builder()
            .subject(userId)
            .issuer(NAME)
            .claim("client_id", AUDIENCE)
            .claim("token_use", "access")
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(VALID)))
            .build();
    var header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build();
    var token = new SignedJWT(header, claims);
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
