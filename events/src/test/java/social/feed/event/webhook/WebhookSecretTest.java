package social.feed.event.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets of webhooks, and their signatures. */
class WebhookSecretTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  /** The example of the specification's own libraries. */
  @Test
  void signature_isThatOfTheReferenceImplementation() {
    var signature =
        WebhookSecret.of(SECRET)
            .signature(
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                Instant.ofEpochSecond(1_614_265_330),
                "{\"test\": 2432232314}");
    assertThat(signature).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  /** As a receiver checks a call, while a secret is replaced as well. */
  @Test
  void signature_isRecognized_ofTheSameCallOnly() {
    var secret = WebhookSecret.of(SECRET);
    var at = Instant.ofEpochSecond(1_614_265_330);
    var signature = secret.signature("msg_1", at, "{}");

    assertThat(secret.hasSigned("msg_1", at, "{}", signature)).isTrue();
    assertThat(secret.hasSigned("msg_1", at, "{}", "v1,AAAA " + signature)).isTrue();
    assertThat(secret.hasSigned("msg_2", at, "{}", signature)).isFalse();
    assertThat(secret.hasSigned("msg_1", at.plusSeconds(1), "{}", signature)).isFalse();
    assertThat(secret.hasSigned("msg_1", at, "{ }", signature)).isFalse();
    assertThat(secret.hasSigned("msg_1", at, "{}", "")).isFalse();
    assertThat(WebhookSecret.random().hasSigned("msg_1", at, "{}", signature)).isFalse();
  }

  @Test
  void secret_isNewEachTime_andReadAgain() {
    var secret = WebhookSecret.random();
    assertThat(WebhookSecret.of(secret.text()).text()).isEqualTo(secret.text());
    assertThat(WebhookSecret.random().text()).isNotEqualTo(secret.text());
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 64})
  void secret_ofTheShortestAndTheLongestLength_isReadAgain(int bytes) {
    var text = WebhookSecret.of(new byte[bytes]).text();
    assertThat(WebhookSecret.of(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "secret", "whsec_", "whsec_AAAA", "whsec_!!!"})
  void secret_thatIsNone_isRefusedWithoutShowingIt(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookSecret.of(text))
        .withMessageStartingWith("The secret of a webhook");
  }
}
