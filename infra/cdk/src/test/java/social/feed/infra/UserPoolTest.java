package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UserPoolTest {
  /** The account stands in the ARN as a reference. */
  @Test
  void mails_ofProduction_areSentBySesFromTheVerifiedDomain() {
    var email =
        Synthesized.of(Stage.PROD)
            .only("api", "AWS::Cognito::UserPool")
            .required("EmailConfiguration");

    assertThat(email.required("EmailSendingAccount").textValue()).isEqualTo("DEVELOPER");
    assertThat(email.required("From").textValue()).isEqualTo(StandIns.MAIL_FROM);
    assertThat(email.at("/SourceArn/Fn::Join/1/4").textValue())
        .isEqualTo(":identity/mail.example.com");
    assertThat(email.required("SourceArn").toString()).contains(":ses:eu-central-1:");
  }

  @Test
  void mails_withoutASender_areSentByCognito() {
    var pool = Synthesized.of(Stage.DEV).only("api", "AWS::Cognito::UserPool");

    assertThat(pool.at("/EmailConfiguration/EmailSendingAccount").asText("COGNITO_DEFAULT"))
        .isEqualTo("COGNITO_DEFAULT");
    assertThat(pool.toString()).doesNotContain(":ses:");
  }

  /** A smoke test and an operator need a token without the protocol that a browser speaks. */
  @Test
  void operators_getMembersTokensFromAShell_inDevOnly() {
    assertThat(flows(Stage.DEV))
        .containsExactlyInAnyOrder(
            "ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH");
    assertThat(flows(Stage.PROD))
        .containsExactlyInAnyOrder("ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH");
  }

  /** No member can have the scope, and the client of operators signs no member in. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void operators_haveAClientOfTheirOwn_withTheirScopeOnly(Stage stage) throws IOException {
    for (var stacks : List.of(Synthesized.of(stage), Synthesized.withFunction(stage))) {
      var server = stacks.only("api", "AWS::Cognito::UserPoolResourceServer");
      assertThat(
              server.required("Identifier").textValue()
                  + "/"
                  + server.at("/Scopes/0/ScopeName").textValue())
          .isEqualTo(UserPoolResource.OPERATOR_SCOPE);
      assertThat(server.required("Scopes")).hasSize(1);

      var operators = client(stacks, true);
      assertThat(texts(operators.required("AllowedOAuthFlows")))
          .containsExactly("client_credentials");
      assertThat(operators.required("AllowedOAuthFlowsUserPoolClient").booleanValue()).isTrue();
      assertThat(operators.at("/AllowedOAuthScopes/0/Fn::Join/1/0/Ref").textValue())
          .startsWith("MembersPoolOperate");
      assertThat(operators.at("/AllowedOAuthScopes/0/Fn::Join/1/1").textValue())
          .isEqualTo("/operate");
      assertThat(operators.required("AllowedOAuthScopes")).hasSize(1);
      assertThat(texts(operators.required("ExplicitAuthFlows")))
          .containsExactly("ALLOW_REFRESH_TOKEN_AUTH");

      var members = client(stacks, false);
      assertThat(members.path("AllowedOAuthFlowsUserPoolClient").asBoolean()).isFalse();
      assertThat(members.has("AllowedOAuthScopes")).isFalse();
      assertThat(stacks.all("api", "AWS::Cognito::UserPoolClient")).hasSize(2);
    }
  }

  /**
   * A stolen access token ends within the hour, and a stolen refresh token with the sign-out of its
   * member. No answer says who is a member.
   */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void tokens_endAfterAnHour_andCanBeRevoked(Stage stage) {
    var members = client(Synthesized.of(stage), false);
    var operators = client(Synthesized.of(stage), true);

    assertThat(
            values(
                members,
                "AccessTokenValidity",
                "IdTokenValidity",
                "RefreshTokenValidity",
                "EnableTokenRevocation",
                "PreventUserExistenceErrors"))
        .containsExactly("60", "60", "43200", "true", "ENABLED");
    assertThat(values(operators, "AccessTokenValidity", "PreventUserExistenceErrors"))
        .containsExactly("60", "ENABLED");
    for (var client : List.of(members, operators)) {
      assertThat(texts(client.required("TokenValidityUnits"))).containsOnly("minutes");
    }
  }

  /** The name of a domain is unique in a region, for all accounts. */
  @Test
  void operators_getTokensAtADomainOfTheStage() {
    var dev = Synthesized.of(Stage.DEV);

    var name = dev.only("api", "AWS::Cognito::UserPoolDomain").at("/Domain/Fn::Join/1");
    assertThat(name).hasSize(2);
    assertThat(name.required(0).textValue()).isEqualTo("feed-dev-");
    assertThat(name.required(1).required("Ref").textValue()).isEqualTo("AWS::AccountId");
    assertThat(dev.json("api").at("/Outputs/TokenUrl/Value").toString()).contains("/oauth2/token");
  }

  private static JsonNode client(Synthesized stacks, boolean isOfOperators) {
    return stacks.all("api", "AWS::Cognito::UserPoolClient").stream()
        .filter(one -> one.path("GenerateSecret").asBoolean() == isOfOperators)
        .findFirst()
        .orElseThrow();
  }

  private static List<String> values(JsonNode client, String... names) {
    return Stream.of(names).map(name -> client.required(name).asText()).toList();
  }

  private static List<String> flows(Stage stage) {
    return texts(client(Synthesized.of(stage), false).required("ExplicitAuthFlows"));
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::textValue).toList();
  }
}
