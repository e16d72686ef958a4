package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

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
  void operators_getTokensFromAShell_inDevOnly() {
    assertThat(flows(Stage.DEV))
        .containsExactlyInAnyOrder(
            "ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH");
    assertThat(flows(Stage.PROD))
        .containsExactlyInAnyOrder("ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH");
  }

  private static List<String> flows(Stage stage) {
    return StreamSupport.stream(
            Synthesized.of(stage)
                .only("api", "AWS::Cognito::UserPoolClient")
                .required("ExplicitAuthFlows")
                .spliterator(),
            false)
        .map(JsonNode::textValue)
        .toList();
  }
}
