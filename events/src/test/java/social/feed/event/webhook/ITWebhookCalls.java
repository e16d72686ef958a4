package social.feed.event.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.event.EventJson;

/** What a call of a webhook sends, and which answers are a success. */
class ITWebhookCalls extends WebhookScenario {
  @Test
  void call_isSignedAsStandardWebhooksHasIt() throws Exception {
    var server = server("127.0.0.1", 0, answer(204));

    var outcome = caller(calls(true), server, "127.0.0.1").call();

    assertThat(outcome.isDelivered()).isTrue();
    assertThat(outcome.status()).isEqualTo(204);
    assertThat(outcome.error()).isNull();
    var call = received.getFirst();
    assertThat(call).containsEntry("method", "POST").containsEntry("body", EventJson.write(EVENT));
    assertThat(call.get("content-type")).startsWith("application/json");
    assertThat(call).containsEntry("webhook-id", EVENT.id());
    assertThat(call).containsEntry("webhook-timestamp", Long.toString(NOW.getEpochSecond()));
    var signed = EVENT.id() + "." + NOW.getEpochSecond() + "." + call.get("body");
    assertThat(call).containsEntry("webhook-signature", "v1," + hmac(signed));
  }

  /** While a secret is replaced, receivers with either one accept the call. */
  @Test
  void call_withTwoSecrets_hasBothSignatures() throws Exception {
    var server = server("127.0.0.1", 0, answer(204));
    var address = URI.create("http://127.0.0.1:" + server.getPort());

    calls(true).call(address, List.of(WebhookSecret.random(), WebhookSecret.of(SECRET)), EVENT);

    var call = received.getFirst();
    var signed = EVENT.id() + "." + NOW.getEpochSecond() + "." + call.get("body");
    assertThat(String.valueOf(call.get("webhook-signature")).split(" ", -1))
        .hasSize(2)
        .contains("v1," + hmac(signed));
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503})
  void answerThatIsNoSuccess_isAFailure(int status) throws Exception {
    var server = server("127.0.0.1", 0, answer(status));
    var outcome = caller(calls(true), server, "127.0.0.1").call();
    assertThat(outcome.isDelivered()).isFalse();
    assertThat(outcome.status()).isEqualTo(status);
    assertThat(outcome.error()).contains("answered " + status);
    assertThat(received).hasSize(1);
  }

  @Test
  void redirect_isNotFollowed() throws Exception {
    var inner = new AtomicInteger();
    var target = server("127.0.0.1", 0, counted(inner));
    var server =
        server(
            "127.0.0.1",
            0,
            exchange -> {
              exchange
                  .getResponseHeaders()
                  .add("Location", "http://127.0.0.1:%d/".formatted(target.getPort()));
              exchange.sendResponseHeaders(307, -1);
              exchange.close();
            });

    assertThat(caller(calls(true), server, "127.0.0.1").call().error()).contains("307");

    assertThat(inner).hasValue(0);
  }

  @Test
  void charactersBeyondAscii_areSentEncoded() throws Exception {
    var server = server("127.0.0.1", 0, answer(204));
    var address = URI.create("http://127.0.0.1:%d/höök?q=猫".formatted(server.getPort()));

    assertThat(new Caller(calls(true), address).call().isDelivered()).isTrue();

    assertThat(received.getFirst()).containsEntry("uri", "/h%C3%B6%C3%B6k?q=%E7%8C%AB");
  }

  /** A webhook of an earlier version may have such an address. */
  @Test
  void addressThatCannotBeCalled_isAFailure() {
    var outcome = new Caller(calls(true), URI.create("http://127.0.0.1:99999/")).call();

    assertThat(outcome.isDelivered()).isFalse();
    assertThat(outcome.error()).contains("cannot be made").contains("99999");
  }

  private static String hmac(String text) throws Exception {
    var key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }
}
