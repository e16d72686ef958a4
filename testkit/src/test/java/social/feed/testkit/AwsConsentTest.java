package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests do not run on AWS without a confirmation. */
class AwsConsentTest {
  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {"", "true", "yes", "123456789012", "eu-central-1", "12345/eu-central-1", "*/*"})
  void consent_withoutAccountAndRegion_isRejected(String words) {
    assertThatIllegalStateException()
        .isThrownBy(() -> AwsConsent.given(words))
        .withMessageContaining("-Dfeed.aws.confirm=ACCOUNT/REGION")
        .withMessageContaining("cost money");
  }

  @Test
  void consent_containsAccountAndRegion() {
    assertThat(AwsConsent.given("123456789012/us-gov-west-1"))
        .isEqualTo(new AwsConsent("123456789012", "us-gov-west-1"));
  }

  @Test
  void consent_forAnotherAccountThanTheCredentials_isRejected() {
    var consent = AwsConsent.given("123456789012/eu-central-1");

    consent.requireFor("123456789012");
    assertThatIllegalStateException()
        .isThrownBy(() -> consent.requireFor("999999999999"))
        .withMessageContaining("123456789012")
        .withMessageContaining("999999999999");
  }
}
