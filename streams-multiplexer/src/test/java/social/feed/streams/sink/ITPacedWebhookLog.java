package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.TestTable;

/** What the calls of a webhook cost a function, and which of them are kept. */
class ITPacedWebhookLog {
  private static final Duration PACE = Duration.ofSeconds(10);

  private final TestTable table = TestTable.start();
  private final WebhookHistory history = new WebhookHistory(table.table(), table.clock());
  private final Instant now = table.clock().instant();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final PacedWebhookLog log = new PacedWebhookLog(history, nanos::get);

  ITPacedWebhookLog() {
    for (var id : List.of("one", "two")) {
      var webhook = Webhook.of(id, "https://example.test", List.of(), null, true, "whsec_x", now);
      new Webhooks(table.table(), 20).create(webhook);
    }
    table.requests().take();
  }

  @AfterEach
  void stop() {
    table.close();
  }

  private WebhookDelivery call(int number) {
    return new WebhookDelivery(
        "evt_" + number, "like.created", now.plusMillis(number), true, 200, null, 1);
  }

  private long writes() {
    return table.requests().take().stream()
        .filter(request -> request.getClass().getSimpleName().equals("PutItemRequest"))
        .count();
  }

  private String newest(String webhook) {
    return history.of(webhook).orElseThrow().getFirst().eventId();
  }

  @Test
  void callsOfAnInvocation_areWrittenTogetherAtItsEnd() {
    for (int i = 0; i < 15; i++) {
      log.add("one", call(i));
    }
    assertThat(writes()).isZero();

    log.flush();

    assertThat(writes()).isEqualTo(1);
    assertThat(history.of("one").orElseThrow()).hasSize(10);
    assertThat(newest("one")).isEqualTo("evt_14");
    table.requests().take();
    log.flush();
    assertThat(table.requests().take()).as("nothing waits").isEmpty();
  }

  /** A webhook with few calls lists each of them at once, and many calls cost no more. */
  @Test
  void manyInvocations_writeEachWebhookEveryTenSecondsOverTime() {
    int invocations = 1_000;
    for (int i = 0; i < invocations; i++) {
      log.add("one", call(i));
      log.flush();
      nanos.addAndGet(PACE.toNanos() / 10);
    }

    assertThat(writes())
        .isBetween((long) invocations / 10, invocations / 10L + PacedWebhookLog.BURST);
    assertThat(newest("one")).isNotEqualTo("evt_0");
    log.add("two", call(1));
    log.flush();
    assertThat(newest("two")).as("each has its own pace").isEqualTo("evt_1");
    nanos.addAndGet(PACE.toNanos());
    log.flush();
    assertThat(newest("one")).as("what waited").isEqualTo("evt_" + (invocations - 1));
  }

  /** The next calls after a pause have the whole burst again. */
  @Test
  void webhookThatWasNotCalledForAMinute_listsTheNextCallsAtOnce() {
    for (int pause = 0; pause < 2; pause++) {
      for (int i = 0; i < PacedWebhookLog.BURST; i++) {
        log.add("one", call(10 * pause + i));
        log.flush();
      }
      assertThat(newest("one")).isEqualTo("evt_" + (10 * pause + PacedWebhookLog.BURST - 1));
      nanos.addAndGet(PACE.multipliedBy(PacedWebhookLog.BURST).toNanos());
    }
  }

  /** A write that failed ends the flush: an invocation must not wait for each of them. */
  @Test
  void callsThatCannotBeWritten_areForgotten_andOthersWait() {
    // A key cannot have it.
    log.add("#", call(0));
    log.add("gone", call(1));
    log.add("one", call(2));

    log.flush();
    assertThat(history.of("one").orElseThrow()).isEmpty();
    log.flush();

    assertThat(newest("one")).isEqualTo("evt_2");
    assertThat(history.of("gone")).isEmpty();
  }
}
