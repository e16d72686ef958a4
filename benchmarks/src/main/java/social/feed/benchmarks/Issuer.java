package social.feed.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/** Signs tokens with RS256, as Cognito does, and publishes the key on loopback. */
final class Issuer implements AutoCloseable {
  private static final String NAME = "https://issuer.invalid";
  private static final String AUDIENCE = "benchmark";
  private static final int BITS = 2_048;
  private static final Duration VALID = Duration.ofHours(12);

  private final KeyPair keys;
  private final HttpServer server;

  Issuer() throws IOException, GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(BITS);
    this.keys = generator.generateKeyPair();
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var publicKey = (RSAPublicKey) keys.getPublic();
    var jwks =
        "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"one\",\"use\":\"sig\",\"alg\":\"RS256\",\"n\":\"%s\",\"e\":\"%s\"}]}"
            .formatted(encoded(publicKey.getModulus()), encoded(publicKey.getPublicExponent()))
            .getBytes(UTF_8);
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

  String token(String userId) throws GeneralSecurityException {
    var now = Instant.now();
    var head = encoded("{\"alg\":\"RS256\",\"kid\":\"one\",\"typ\":\"JWT\"}".getBytes(UTF_8));
    var claims =
        "{\"sub\":\"%s\",\"iss\":\"%s\",\"client_id\":\"%s\",\"token_use\":\"access\",\"iat\":%d,\"exp\":%d}"
            .formatted(
                userId, NAME, AUDIENCE, now.getEpochSecond(), now.plus(VALID).getEpochSecond());
    var signed = head + "." + encoded(claims.getBytes(UTF_8));
    var signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(keys.getPrivate());
    signature.update(signed.getBytes(UTF_8));
    return signed + "." + encoded(signature.sign());
  }

  private static String encoded(BigInteger number) {
    var bytes = number.toByteArray();
    return encoded(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
