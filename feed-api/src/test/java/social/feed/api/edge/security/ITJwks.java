package social.feed.api.edge.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.sun.net.httpserver.HttpServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.testkit.Polling;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITJwks {
  private static final String KEYS_TIMEOUT = "feed.auth.keys-timeout";

  /** Longer than a read of the keys takes on a busy machine. */
  private static final String PATIENCE = "30s";

  private static final String ISSUER = "https://issuer.example";
  private static final String AUDIENCE = "feed-client";
  private static final String OPERATORS = "1example23456789operators0";
  private static final String SCOPE = "feed/operate";
  private static final String OPERATOR_ROUTE = "/v1/operator/suspicious";

  private final RSAKey rsa;
  private final ECKey ec;
  private final RSAKey foreign;
  private final AtomicInteger fetches = new AtomicInteger();
  private final HttpServer issuer;
  private final EmbeddedServer server;
  private final Api anonymous;

  ITJwks() throws JOSEException, IOException {
    rsa = new RSAKeyGenerator(2048).keyID("one").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("two").generate();
    foreign = new RSAKeyGenerator(2048).keyID("one").generate();
    issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server =
        ApplicationContext.run(
            EmbeddedServer.class,
            Map.of(
                "feed.dev-issuer.enabled",
                "false",
                "feed.auth.jwks-url",
                keys(issuer),
                KEYS_TIMEOUT,
                PATIENCE,
                "feed.auth.issuer",
                ISSUER,
                "feed.auth.audience",
                AUDIENCE,
                "feed.auth.operator-audience",
                OPERATORS,
                "feed.auth.operator-scope",
                SCOPE),
            "test");
    anonymous = Api.anonymous(server.getURI());
  }

  @BeforeAll
  void start() {
    byte[] keys = new JWKSet(List.of(rsa, ec)).toString(true).getBytes(StandardCharsets.UTF_8);
    issuer.createContext(
        "/jwks.json",
        exchange -> {
          fetches.incrementAndGet();
          exchange.sendResponseHeaders(200, keys.length);
          exchange.getResponseBody().write(keys);
          exchange.close();
        });
    issuer.start();
  }

  @AfterAll
  void stop() {
    server.close();
    issuer.stop(0);
  }

  private static String keys(HttpServer issuer) {
    return "http://127.0.0.1:" + issuer.getAddress().getPort() + "/jwks.json";
  }

  /** Starts an API that keeps the keys of an issuer for a moment only. */
  private static EmbeddedServer withShortLivedKeys(HttpServer issuer) {
    return ApplicationContext.run(
        EmbeddedServer.class,
        Map.of(
            "feed.dev-issuer.enabled",
            "false",
            "feed.auth.jwks-url",
            keys(issuer),
            KEYS_TIMEOUT,
            PATIENCE,
            "feed.auth.keys-cached",
            "200ms",
            "feed.limits.rate.per-second",
            100_000,
            "feed.limits.rate.burst",
            100_000),
        "test");
  }

  private static JWTClaimsSet.Builder claims() {
    return Tokens.claims("alice").issuer(ISSUER).audience(AUDIENCE);
  }

  private static JWSHeader header(JWSAlgorithm algorithm, String key) {
    return new JWSHeader.Builder(algorithm).keyID(key).build();
  }

  private String rsaToken(JWTClaimsSet claims) throws JOSEException {
    return Tokens.signed(claims, header(JWSAlgorithm.RS256, "one"), new RSASSASigner(rsa));
  }

  private int status(String token) {
    return anonymous.withToken(token).get("/v1/odd/me").status();
  }

  @Test
  void token_ofTheIssuer_isTaken() throws JOSEException {
    assertThat(status(rsaToken(claims().build()))).isEqualTo(200);
    assertThat(
            status(
                Tokens.signed(
                    claims().build(), header(JWSAlgorithm.ES256, "two"), new ECDSASigner(ec))))
        .isEqualTo(200);
  }

  @Test
  void keys_areFetchedOnceForManyRequests() throws JOSEException {
    status(rsaToken(claims().build()));
    int before = fetches.get();

    for (int i = 0; i < 20; i++) {
      assertThat(status(rsaToken(claims().build()))).isEqualTo(200);
    }

    assertThat(fetches.get()).isEqualTo(before);
  }

  @Test
  void token_ofCognito_namesItsClientInsteadOfAnAudience() throws JOSEException {
    JWTClaimsSet claims =
        Tokens.claims("alice").issuer(ISSUER).claim("client_id", AUDIENCE).build();

    assertThat(status(rsaToken(claims))).isEqualTo(200);
  }

  /** As Cognito issues it for client credentials: its subject is the client. */
  private static JWTClaimsSet.Builder ofOperatorsClient(String scope) {
    return Tokens.claims(OPERATORS)
        .issuer(ISSUER)
        .claim("client_id", OPERATORS)
        .claim("token_use", "access")
        .claim("version", 2)
        .claim("scope", scope);
  }

  private Answer get(String route, JWTClaimsSet claims) throws JOSEException {
    return anonymous.withToken(rsaToken(claims)).get(route);
  }

  @Test
  void token_ofTheOperatorsClient_hasTheRoutesOfOperatorsOnly() throws JOSEException {
    JWTClaimsSet claims = ofOperatorsClient(SCOPE).build();

    // Past the check: the table of this test is away.
    assertThat(get(OPERATOR_ROUTE, claims).code()).isEqualTo("table_busy");
    for (String route : List.of("/v1/odd/me", "/v1/users/me", "/v1/nowhere")) {
      Answer refused = get(route, claims);
      assertThat(refused.status()).as(route).isEqualTo(401);
      assertThat(refused.text()).contains("operators only");
    }
  }

  /** Also that of a member who signs in by the client of operators. */
  @Test
  void token_ofTheOperatorsClient_withoutTheScope_isRefused() throws JOSEException {
    for (String scope :
        List.of("", "aws.cognito.signin.user.admin", "feed/other", "feed:operate")) {
      JWTClaimsSet claims = ofOperatorsClient(scope).build();

      assertThat(get(OPERATOR_ROUTE, claims).status()).as(scope).isEqualTo(401);
      assertThat(get("/v1/odd/me", claims).status()).as(scope).isEqualTo(401);
    }
  }

  @Test
  void token_ofAMember_isNotAnOperators() throws JOSEException {
    JWTClaimsSet claims =
        Tokens.claims("alice")
            .issuer(ISSUER)
            .claim("client_id", AUDIENCE)
            .claim("scope", "aws.cognito.signin.user.admin")
            .build();

    assertThat(get("/v1/odd/me", claims).status()).isEqualTo(200);
    assertThat(get(OPERATOR_ROUTE, claims).code()).isEqualTo("not_found");
  }

  @Test
  void token_ofAnotherIssuerOrAudience_isRefused() throws JOSEException {
    assertThat(status(rsaToken(claims().issuer("https://other.example").build()))).isEqualTo(401);
    assertThat(status(rsaToken(claims().issuer(null).build()))).isEqualTo(401);
    assertThat(status(rsaToken(claims().audience("other").build()))).isEqualTo(401);
    assertThat(status(rsaToken(Tokens.claims("alice").issuer(ISSUER).build()))).isEqualTo(401);
  }

  @Test
  void token_ofAForeignKey_isRefused() throws JOSEException {
    assertThat(
            status(
                Tokens.signed(
                    claims().build(),
                    header(JWSAlgorithm.RS256, "one"),
                    new RSASSASigner(foreign))))
        .isEqualTo(401);
    assertThat(
            status(
                Tokens.signed(
                    claims().build(),
                    header(JWSAlgorithm.RS256, "three"),
                    new RSASSASigner(foreign))))
        .isEqualTo(401);
  }

  /** An accepted token is remembered; parts of it are not. */
  @Test
  void token_withPartsOfAnAcceptedOne_isRefused() throws JOSEException {
    String[] accepted = rsaToken(claims().build()).split("\\.");
    String[] other = rsaToken(claims().claim("other", true).build()).split("\\.");
    assertThat(status(String.join(".", accepted))).isEqualTo(200);
    assertThat(status(String.join(".", other))).isEqualTo(200);

    assertThat(status(accepted[0] + "." + accepted[1] + "." + other[2])).isEqualTo(401);
    assertThat(status(accepted[0] + "." + other[1] + "." + accepted[2])).isEqualTo(401);
  }

  @Test
  void token_thatWasAccepted_isRefusedWhenItsKeyIsNoLongerPublished()
      throws JOSEException, IOException {
    var published = new AtomicReference<>(new JWKSet(rsa));
    AtomicInteger reads = new AtomicInteger();
    HttpServer rotating =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    rotating.createContext(
        "/jwks.json",
        exchange -> {
          byte[] keys =
              Objects.requireNonNull(published.get())
                  .toString(true)
                  .getBytes(StandardCharsets.UTF_8);
          reads.incrementAndGet();
          exchange.sendResponseHeaders(200, keys.length);
          exchange.getResponseBody().write(keys);
          exchange.close();
        });
    rotating.start();
    try (EmbeddedServer running = withShortLivedKeys(rotating)) {
      Api caller = Api.anonymous(running.getURI()).withToken(rsaToken(claims().build()));
      assertThat(caller.get("/v1/odd/me").status()).isEqualTo(200);
      assertThat(caller.get("/v1/odd/me").status()).isEqualTo(200);

      // The new key has the id of the old one.
      published.set(new JWKSet(foreign));
      int before = reads.get();
      Polling.until(
          () -> {
            caller.get("/v1/odd/me");
            return reads.get() > before;
          });

      assertThat(caller.get("/v1/odd/me").status()).isEqualTo(401);
    } finally {
      rotating.stop(0);
    }
  }

  @Test
  void token_withThePublicKeyAsSecret_isRefused() throws JOSEException {
    byte[] publicKey = rsa.toRSAPublicKey().getEncoded();

    assertThat(
            status(
                Tokens.signed(
                    claims().build(), header(JWSAlgorithm.HS256, "one"), new MACSigner(publicKey))))
        .isEqualTo(401);
  }

  @Test
  void token_ofTheDevelopmentIssuer_orUnsigned_isRefused() throws JOSEException {
    assertThat(status(Tokens.dev(claims().build()))).isEqualTo(401);
    assertThat(status(new PlainJWT(claims().build()).serialize())).isEqualTo(401);
  }

  /** After a 401 a client would discard its token, although the token is valid. */
  @Test
  void issuer_thatDoesNotAnswer_is503ForEachRequest() throws JOSEException {
    Map<String, Object> nowhere =
        Map.of("feed.dev-issuer.enabled", "false", "feed.auth.jwks-url", "http://127.0.0.1:1/jwks");
    try (EmbeddedServer lost = ApplicationContext.run(EmbeddedServer.class, nowhere, "test")) {
      Api caller = Api.anonymous(lost.getURI()).withToken(rsaToken(claims().build()));
      for (int i = 0; i < 5; i++) {
        var answer = caller.get("/v1/odd/me");

        assertThat(answer.status()).as("%s: %s", i, answer.text()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("identity_unavailable");
        assertThat(answer.header("Retry-After")).hasValue("5");
      }
    }
  }

  /** Otherwise an outage of the issuer longer than the cache time would lock out every user. */
  @Test
  void issuer_thatDoesNotAnswerAnyMore_isBelievedByTheKeysThatAreKnown()
      throws JOSEException, IOException {
    AtomicBoolean isGone = new AtomicBoolean();
    AtomicInteger failed = new AtomicInteger();
    byte[] published = new JWKSet(List.of(rsa)).toString(true).getBytes(StandardCharsets.UTF_8);
    HttpServer flaky =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    flaky.createContext(
        "/jwks.json",
        exchange -> {
          if (isGone.get()) {
            failed.incrementAndGet();
            exchange.sendResponseHeaders(500, -1);
          } else {
            exchange.sendResponseHeaders(200, published.length);
            exchange.getResponseBody().write(published);
          }
          exchange.close();
        });
    flaky.start();
    try (EmbeddedServer running = withShortLivedKeys(flaky)) {
      Api withoutToken = Api.anonymous(running.getURI());
      Api caller = withoutToken.withToken(rsaToken(claims().build()));
      assertThat(caller.get("/v1/odd/me").status()).isEqualTo(200);
      isGone.set(true);

      // The keys had expired before each failed read.
      Polling.until(
          () -> {
            var answer = caller.get("/v1/odd/me");
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            return failed.get() >= 8;
          });

      JWSHeader unknown = header(JWSAlgorithm.RS256, "three");
      String token = Tokens.signed(claims().build(), unknown, new RSASSASigner(foreign));
      for (int i = 0; i < 50; i++) {
        assertThat(withoutToken.withToken(token).get("/v1/odd/me").status()).isEqualTo(503);
        assertThat(caller.get("/v1/odd/me").status()).as("strangers ask").isEqualTo(200);
      }
    } finally {
      flaky.stop(0);
    }
  }

  @Test
  void flood_whileTheIssuerDoesNotAnswer_isRefusedByAddress() throws JOSEException {
    Map<String, Object> nowhere =
        Map.of(
            "feed.dev-issuer.enabled",
            "false",
            "feed.auth.jwks-url",
            "http://127.0.0.1:1/jwks",
            "feed.limits.rate.per-second",
            1,
            "feed.limits.rate.burst",
            10);
    try (EmbeddedServer lost = ApplicationContext.run(EmbeddedServer.class, nowhere, "test")) {
      Api caller = Api.anonymous(lost.getURI()).withToken(rsaToken(claims().build()));
      List<Integer> statuses =
          IntStream.range(0, 40).mapToObj(_ -> caller.get("/v1/odd/me").status()).toList();

      assertThat(statuses.subList(0, 10)).containsOnly(503);
      assertThat(statuses).contains(429);
    }
  }

  @Test
  void tokens_ofManyUnknownKeys_areRefusedAndLeaveTheOthersTheirAnswers() throws JOSEException {
    for (int i = 0; i < 5; i++) {
      assertThat(
              status(
                  Tokens.signed(
                      claims().build(),
                      header(JWSAlgorithm.RS256, "unknown" + i),
                      new RSASSASigner(foreign))))
          .isEqualTo(401);
      assertThat(status(rsaToken(claims().build()))).isEqualTo(200);
    }
  }

  @Test
  void developmentIssuer_doesNotExist() {
    var there = anonymous.post("/v1/dev/tokens", "{\"user_id\":\"alice\"}");
    var nowhere = anonymous.post("/v1/dev/nowhere", "{\"user_id\":\"alice\"}");

    assertThat(there.status()).isEqualTo(404);
    assertThat(there.code()).isEqualTo(nowhere.code());
    assertThat(nowhere.status()).isEqualTo(404);
  }
}
