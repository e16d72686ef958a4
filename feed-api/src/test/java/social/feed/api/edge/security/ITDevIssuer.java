package social.feed.api.edge.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;

@MicronautTest
class ITDevIssuer {
  private static final String ROUTE = "/v1/odd/me";
  private final Api anonymous;

  ITDevIssuer(EmbeddedServer server) {
    this.anonymous = Api.anonymous(server.getURI());
  }

  private void assertRefused(Api caller) {
    Answer answer = caller.get(ROUTE);
    assertThat(answer.status()).as(answer.text()).isEqualTo(401);
    assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.header("WWW-Authenticate")).hasValue("Bearer");
    assertThat(answer.code()).isEqualTo("unauthenticated");
  }

  @Test
  void token_ofTheIssuer_namesTheCaller() {
    Answer token = anonymous.post("/v1/dev/tokens", "{\"user_id\":\"alice_-1\"}");

    assertThat(token.status()).isEqualTo(200);
    assertThat(token.at("token_type")).isEqualTo("Bearer");
    Answer me = anonymous.withToken(token.at("access_token")).get(ROUTE);
    assertThat(me.status()).isEqualTo(200);
    assertThat(me.at("id")).isEqualTo("alice_-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a#b", "ä", "../x", "a\\n"})
  void token_forMalformedId_isRefused(String id) {
    Answer answer = anonymous.post("/v1/dev/tokens", "{\"user_id\":\"" + id + "\"}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("errors").get(0).get("field").getStringValue())
        .isEqualTo("user_id");
  }

  /** A route would mean the caller or a handle where a client means this account. */
  @ParameterizedTest
  @ValueSource(strings = {"me", "by-handle"})
  void token_withReservedId_isRefusedWithTheReason(String id) throws JOSEException {
    Answer issued = anonymous.post("/v1/dev/tokens", "{\"user_id\":\"" + id + "\"}");
    Answer called = anonymous.withToken(Tokens.dev(Tokens.claims(id).build())).get(ROUTE);

    assertThat(issued.status()).as(issued.text()).isEqualTo(400);
    assertThat(issued.at("detail"))
        .startsWith("user_id must")
        .endsWith("must not be 'me' or 'by-handle'");
    assertThat(called.status()).as(called.text()).isEqualTo(401);
    assertThat(called.code()).isEqualTo("unauthenticated");
    assertThat(called.at("detail")).contains("`" + id + "`, is reserved");
    assertThat(called.header("WWW-Authenticate")).hasValue("Bearer");
    assertRefused(anonymous.withToken(Tokens.dev(Tokens.claims(id).build())));
    assertThat(anonymous.as(id + "x").get(ROUTE).status()).isEqualTo(200);
  }

  @Test
  void token_forIdOf65Characters_isRefused() {
    String longest = "x".repeat(64);

    assertThat(anonymous.post("/v1/dev/tokens", "{\"user_id\":\"" + longest + "\"}").status())
        .isEqualTo(200);
    assertThat(anonymous.post("/v1/dev/tokens", "{\"user_id\":\"" + longest + "x\"}").status())
        .isEqualTo(400);
  }

  @Test
  void caller_withoutToken_isRefused() {
    assertRefused(anonymous);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Bearer", "Bearer ", "Bearer x", "Bearer a.b.c", "Basic YTpi", "Bearer ..", "x"})
  void caller_withNonsense_isRefused(String header) {
    assertRefused(anonymous.with("Authorization", header));
  }

  @Test
  void token_expired_isRefused() throws JOSEException {
    Date past = Date.from(Instant.now().minusSeconds(120));

    assertRefused(
        anonymous.withToken(Tokens.dev(Tokens.claims("alice").expirationTime(past).build())));
  }

  @Test
  void token_withoutEnd_isRefused() throws JOSEException {
    assertRefused(
        anonymous.withToken(Tokens.dev(new JWTClaimsSet.Builder().subject("alice").build())));
  }

  @Test
  void token_notYetValid_isRefused() throws JOSEException {
    Date future = Date.from(Instant.now().plusSeconds(120));

    assertRefused(
        anonymous.withToken(Tokens.dev(Tokens.claims("alice").notBeforeTime(future).build())));
  }

  @Test
  void token_withoutSubject_isRefused() throws JOSEException {
    Date end = Date.from(Instant.now().plusSeconds(120));

    assertRefused(
        anonymous.withToken(Tokens.dev(new JWTClaimsSet.Builder().expirationTime(end).build())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a#b", "a b", "ä", "a/b", "a\n"})
  void token_withSubjectThatIsNoId_isRefused(String subject) throws JOSEException {
    assertRefused(anonymous.withToken(Tokens.dev(Tokens.claims(subject).build())));
  }

  @Test
  void token_signedWithAnotherSecret_isRefused() throws JOSEException {
    assertRefused(
        anonymous.withToken(
            Tokens.signed(
                Tokens.claims("alice").build(),
                new JWSHeader(JWSAlgorithm.HS256),
                new MACSigner("x".repeat(32)))));
  }

  @Test
  void token_unsigned_isRefused() {
    assertRefused(anonymous.withToken(new PlainJWT(Tokens.claims("alice").build()).serialize()));
  }

  @Test
  void token_withChangedPayload_isRefused() throws JOSEException {
    String[] mine = Tokens.dev(Tokens.claims("alice").build()).split("\\.");
    String[] other = Tokens.dev(Tokens.claims("bob").build()).split("\\.");

    assertRefused(anonymous.withToken(mine[0] + "." + other[1] + "." + mine[2]));
  }

  @Test
  void token_huge_isRefused() throws JOSEException {
    String claim = "x".repeat(5_000);

    assertRefused(anonymous.withToken("x".repeat(7_000)));
    assertRefused(anonymous.withToken(".".repeat(7_000)));
    assertThat(
            anonymous
                .withToken(Tokens.dev(Tokens.claims("alice").claim("x", claim).build()))
                .get(ROUTE)
                .status())
        .as("large, and genuine")
        .isEqualTo(200);
    assertThat(anonymous.withToken("x".repeat(20_000)).get(ROUTE).status()).isEqualTo(431);
  }

  @Test
  void token_inTheQuery_isRefused() {
    String token = anonymous.post("/v1/dev/tokens", "{\"user_id\":\"alice\"}").at("access_token");

    assertThat(anonymous.get(ROUTE + "?access_token=" + token).status()).isEqualTo(401);
  }
}
