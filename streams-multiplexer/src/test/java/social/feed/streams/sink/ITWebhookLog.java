package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.Polling;
import social.feed.testkit.TestTable;

/** What the calls of a webhook cost, and which of them are kept. */
class ITWebhookLog {
  private static final int CALLS = 1_000;
  private static final Duration NEVER = Duration.ofHours(1);

  private final TestTable table = TestTable.start();
  private final WebhookHistory history = new WebhookHistory(table.table(), table.clock());
  private final Instant now = table.clock().instant();

  ITWebhookLog() {
    var webhook = Webhook.of("one", "https://example.test", List.of(), null, true, "whsec_x", now);
    new Webhooks(table.table(), 20).create(webhook);
    table.requests().take();
  }

  @AfterEach
  void stop() {
    table.close();
  }

  private WebhookDelivery call(int number, boolean isDelivered) {
    return new WebhookDelivery(
        "evt_" + number,
        "like.created",
        now.plusMillis(number),
        isDelivered,
        isDelivered ? 200 : 500,
        isDelivered ? null : "The webhook answered 500",
        1);
  }

  private List<WebhookDelivery> kept() {
    return history.of("one").orElseThrow();
  }

  private long writes() {
    return table.requests().take().stream()
        .filter(request -> request.getClass().getSimpleName().equals("PutItemRequest"))
        .count();
  }

  @Test
  void firstCall_isListedAtOnce_andLaterOnesTogether() {
    try (var log = new WebhookLog(history, NEVER)) {
      log.add("one", call(0, true));
      Polling.until(() -> !kept().isEmpty());
      for (int i = 1; i <= CALLS; i++) {
        log.add("one", call(i, i != CALLS / 2));
      }
      assertThat(kept()).hasSize(1);
    }

    assertThat(writes()).isEqualTo(2);
    assertThat(kept().getFirst().eventId()).isEqualTo("evt_" + CALLS);
    assertThat(kept()).as("ten successes, and the failure among them").hasSize(11);
    assertThat(kept().getLast().eventId()).isEqualTo("evt_" + CALLS / 2);
  }

  @Test
  void callsAfterTheTime_areListedWithoutAnEnd() {
    try (var log = new WebhookLog(history, Duration.ofMillis(20))) {
      log.add("one", call(0, true));
      log.add("one", call(1, false));
      Polling.until(() -> kept().size() == 2);
      log.add("one", call(2, true));
      Polling.until(() -> kept().size() == 3);
    }
  }

  @Test
  void callOfADeletedWebhook_isForgotten() {
    try (var log = new WebhookLog(history, NEVER)) {
      log.add("two", call(0, true));
    }

    assertThat(history.of("two")).isEmpty();
  }

  /** A table that is away loses calls of the list, and no event. */
  @Test
  void tableThatFails_doesNotStopTheLog() {
    try (var log = new WebhookLog(history, Duration.ofMillis(20))) {
      // A key cannot have it.
      log.add("#", call(0, true));
      log.add("one", call(1, true));
      Polling.until(() -> kept().size() == 1);
    }
  }
}
