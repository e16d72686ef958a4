package social.feed.api.edge.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.micronaut.security.token.jwt.signature.SignatureGeneratorConfiguration;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.json.StrictStringLists;
import social.feed.api.edge.problem.MayAnswerProblems;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayRefuseBody;

/**
 * Issues a token for any user id to anyone. Exists only where the development issuer is enabled.
 */
@Controller("/v1/dev/tokens")
@Secured(SecurityRule.IS_ANONYMOUS)
@Requires(property = "feed.dev-issuer.enabled", value = "true")
@MayAnswerProblems
@MayRefuseBody
@MayBeMissing
@Tag(name = "development")
class DevTokens {
  private final DevIssuerConfiguration devIssuer;
  private final AuthConfiguration auth;
  private final SignatureGeneratorConfiguration signature;
  private final InstantSource clock;

  DevTokens(
      DevIssuerConfiguration devIssuer,
      AuthConfiguration auth,
      SignatureGeneratorConfiguration signature,
      InstantSource clock) {
    this.devIssuer = devIssuer;
    this.auth = auth;
    this.signature = signature;
    this.clock = clock;
  }

  /**
   * The body of the request.
   *
   * @param userId the subject of the token
   * @param scopes of the token; `feed:operate` for an operator
   */
  @Serdeable
  @Schema(name = "TokenRequest", additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
  record TokenRequest(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
          @Pattern(regexp = UserIds.OF_TOKENS, message = UserIds.RULE_OF_TOKENS)
          String userId,
      @Nullable @Size(max = SCOPES_MAX) @Serdeable.Deserializable(using = StrictStringLists.class)
          List<@NotNull @Pattern(regexp = SCOPE) @Size(max = SCOPE_MAX) String> scopes) {
    static final int SCOPES_MAX = 10;
    static final int SCOPE_MAX = 100;

    /** A scope of RFC 6749 section 3.3. */
    static final String SCOPE = "^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$";
  }

  /** The body of the response, with the names of RFC 6749 section 5.1. */
  @Serdeable
  @Schema(name = "Token")
  record Token(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String accessToken,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String tokenType) {}

  @Operation(
      summary = "A token for development",
      description = "Only on the local platform; elsewhere the route does not exist (404).")
  @Post
  Token issueDevToken(@Body @Valid TokenRequest request) throws JOSEException {
    return new Token(signature.sign(claims(request)).serialize(), "Bearer");
  }

  private JWTClaimsSet claims(TokenRequest request) {
    Instant now = clock.instant();
    List<String> scopes = request.scopes();
    return new JWTClaimsSet.Builder()
        .subject(request.userId())
        .claim("scope", scopes == null || scopes.isEmpty() ? null : String.join(" ", scopes))
        .issuer(auth.issuer())
        .audience(auth.audience())
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plus(devIssuer.lifetime())))
        .build();
  }
}
