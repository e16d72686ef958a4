package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.local.PlatformSettings.Processes;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;

/** Webhooks of the API on a whole platform, which was started without any. */
@LongRunning
class ITWebhooksEndToEnd {
  private final WebhookReceiver receiver = new WebhookReceiver();

  @AfterEach
  void stop() {
    receiver.close();
  }

  private String created(Caller operator, String eventType) {
    var answer = receiver.createdBy(operator, eventType);
    assertThat(answer.status()).isEqualTo(201);
    return answer.text("id");
  }

  private boolean hasReceived(String type, String text) {
    return receiver.hasReceived(type, call -> call.text("text").equals(text));
  }

  private void awaitAPost(Caller author, String text) {
    WebhookReceiver.repeatUntil(() -> author.writes(text), () -> hasReceived("post.created", text));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void webhook_getsWhatItWants_untilItIsDeleted(int processes) {
    var settings = PlatformSettings.inMemory().withoutXray();
    var split =
        new PlatformSettings(
            settings.data(),
            settings.port(),
            settings.dynamodbPort(),
            settings.queuePort(),
            settings.celebrityThreshold(),
            new Processes(processes, processes),
            false,
            List.of());
    try (var platform = LocalPlatform.start(split)) {
      var operator = Caller.operator(platform.api());
      var ann = Caller.registered(platform.api(), "ann");
      var id = created(operator, "post.created");

      awaitAPost(ann, "first");

      assertThat(receiver.calls()).allMatch(call -> call.is("post.created"));
      Polling.until(
          () ->
              operator
                  .get("/v1/webhooks/" + id + "/deliveries")
                  .body()
                  .path("items")
                  .path(0)
                  .path("delivered")
                  .asBoolean());

      assertThat(operator.delete("/v1/webhooks/" + id).status()).isEqualTo(204);
      var other = created(operator, "account.changed");
      WebhookReceiver.repeatUntil(
          () -> ann.patch("/v1/users/me", "{\"bio\":\"%d\"}".formatted(System.nanoTime())),
          () -> !receiver.calls("account.changed").isEmpty());
      // The new one is known, so the earlier deletion of the old one is known to the lane too.
      receiver.forgetCalls();
      ann.writes("last");
      ann.patch("/v1/users/me", "{\"display_name\":\"Last\"}");
      Polling.until(
          () ->
              receiver.hasReceived(
                  "account.changed", call -> call.text("display_name").equals("Last")));
      assertThat(hasReceived("post.created", "last")).isFalse();
      assertThat(operator.delete("/v1/webhooks/" + other).status()).isEqualTo(204);
    }
  }

  @Test
  void webhook_thatFails_getsTheEventLater_andListsBoth() {
    try (var platform = LocalPlatform.start(PlatformSettings.inMemory())) {
      var operator = Caller.operator(platform.api());
      var ann = Caller.registered(platform.api(), "ann");
      var id = created(operator, "post.created");
      awaitAPost(ann, "first");
      receiver.answer(500);
      ann.writes("second");
      Polling.until(
          () ->
              operator
                  .get("/v1/webhooks/" + id + "/deliveries")
                  .body()
                  .toString()
                  .contains("answered 500"));

      receiver.answer(204);

      Polling.until(() -> hasReceived("post.created", "second"));
    }
  }
}
