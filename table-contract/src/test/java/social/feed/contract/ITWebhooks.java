package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.FormerSecret;
import social.feed.table.row.Key;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.row.WebhookRegistry;
import social.feed.table.webhook.StoredWebhooks;
import social.feed.table.webhook.WebhookCreation;
import social.feed.table.webhook.WebhookHistory;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.TestTable;

/** Webhooks, their exact number, and their last calls. */
class ITWebhooks {
  private static final int MAX = 3;
  private static final int THREADS = 12;

  private final TestTable table = TestTable.start();
  private final Webhooks webhooks = new Webhooks(table.table(), MAX);
  private final WebhookHistory history = new WebhookHistory(table.table(), table.clock());

  @AfterEach
  void stop() {
    table.close();
  }

  private Webhook webhook() {
    return Webhook.of(
        Names.fresh(),
        "https://example.test/hook",
        List.of(),
        null,
        true,
        "whsec_present",
        table.clock().instant());
  }

  private Webhook created() {
    var webhook = webhook();
    assertThat(webhooks.create(webhook)).isEqualTo(WebhookCreation.CREATED);
    return webhook;
  }

  private static Webhook enabled(Webhook webhook, boolean isEnabled) {
    return webhook.with(webhook.url(), webhook.eventTypes(), webhook.description(), isEnabled);
  }

  private boolean exists(Key key) {
    return table.table().get(key).isPresent();
  }

  @Test
  void all_listsThem_oldestFirst_withoutAScan() {
    var first = created();
    table.clock().advance(Duration.ofSeconds(1));
    var second = created();
    table.requests().take();

    assertThat(webhooks.all()).isEqualTo(new StoredWebhooks(List.of(first, second), List.of()));

    assertThat(table.requests().take())
        .extracting(request -> request.getClass().getSimpleName())
        .containsExactly("GetItemRequest", "BatchGetItemRequest");
  }

  @Test
  void all_withoutAny_isEmpty() {
    assertThat(webhooks.all().readable()).isEmpty();
    assertThat(webhooks.registry()).isEqualTo(WebhookRegistry.EMPTY);
  }

  /** It takes a place, and can be deleted. */
  @Test
  void rowThatCannotBeDecoded_hidesNoOther() {
    var first = created();
    var bad = created();
    table
        .table()
        .update(bad.key(), new Update().set("created_at", "unreadable"), Condition.present());

    assertThat(webhooks.all())
        .isEqualTo(new StoredWebhooks(List.of(first), List.of(bad.webhookId())));
    assertThat(webhooks.registry().number()).isEqualTo(2);

    assertThat(webhooks.delete(bad.webhookId())).isTrue();
    assertThat(webhooks.delete(bad.webhookId())).isFalse();
    assertThat(exists(bad.key())).isFalse();
    assertThat(webhooks.all()).isEqualTo(new StoredWebhooks(List.of(first), List.of()));
    assertThat(webhooks.registry().number()).isEqualTo(1);
  }

  @Test
  void create_concurrently_keepsTheNumber() {
    var outcomes = AtOnce.run(THREADS, _ -> webhooks.create(webhook()));

    assertThat(outcomes).filteredOn(WebhookCreation.CREATED::equals).hasSize(MAX);
    assertThat(webhooks.all().readable()).hasSize(MAX);
    assertThat(webhooks.registry().number()).isEqualTo(MAX);
  }

  /** What the test above would miss without its condition: the number that was read decides. */
  @Test
  void create_onTheNumberThatWasRead_exceedsIt() {
    var withoutCondition = new Webhooks(table.table(), Integer.MAX_VALUE);
    var hadRoom = IntStream.range(0, THREADS).filter(_ -> webhooks.hasRoom()).count();
    for (int i = 0; i < hadRoom; i++) {
      var webhook = webhook();
      withoutCondition
          .creating(table.table().transaction().put(webhook, Condition.absent()), webhook)
          .commit();
    }

    assertThat(webhooks.registry().number()).isEqualTo(THREADS).isGreaterThan(MAX);
  }

  @Test
  void createAndDelete_concurrently_leaveTheNumberOfThoseThatExist() {
    AtOnce.run(
        THREADS,
        _ -> {
          var webhook = webhook();
          return webhooks.create(webhook) == WebhookCreation.CREATED
              && webhooks.delete(webhook.webhookId());
        });

    assertThat(webhooks.registry().number()).isZero();
    assertThat(webhooks.all().readable()).isEmpty();
    IntStream.range(0, MAX).forEach(_ -> created());
    assertThat(webhooks.create(webhook())).isEqualTo(WebhookCreation.LIMIT_REACHED);
  }

  @Test
  void delete_removesItsRows_once() {
    var webhook = created();
    var id = webhook.webhookId();
    history.add(id, List.of(call("evt_1", 0, true)));

    assertThat(webhooks.delete(id)).isTrue();
    assertThat(webhooks.delete(id)).isFalse();

    assertThat(exists(webhook.key())).isFalse();
    assertThat(exists(WebhookDeliveries.key(id))).isFalse();
    assertThat(webhooks.registry().webhooks()).isEmpty();
  }

  @Test
  void change_isSeenInTheRegistry_andMergesWithConcurrentOnes() {
    var webhook = created();
    var before = webhooks.registry().version();

    AtOnce.run(8, i -> webhooks.change(webhook.webhookId(), now -> withUrl(now, i)));

    var after = webhooks.get(webhook.webhookId()).orElseThrow();
    assertThat(after.version()).isEqualTo(9);
    assertThat(after.url()).hasSize(webhook.url().length() + 8);
    assertThat(webhooks.registry().version()).isEqualTo(before + 8);
  }

  private static Webhook withUrl(Webhook webhook, int number) {
    return webhook.with(
        webhook.url() + number, webhook.eventTypes(), webhook.description(), webhook.isEnabled());
  }

  @Test
  void change_ofNothing_writesNothing() {
    var webhook = created();
    var before = webhooks.registry().version();

    assertThat(webhooks.change(webhook.webhookId(), now -> enabled(now, true))).hasValue(webhook);

    assertThat(webhooks.registry().version()).isEqualTo(before);
  }

  @Test
  void change_ofADeletedOne_doesNotCreateIt() {
    var webhook = created();
    webhooks.delete(webhook.webhookId());

    assertThat(webhooks.change(webhook.webhookId(), now -> enabled(now, false)))
        .isEqualTo(Optional.empty());

    assertThat(exists(webhook.key())).isFalse();
  }

  @Test
  void secrets_ofAChangedSecret_areBothUntilItsEnd() {
    var end = Instant.parse("2026-03-02T12:00:00Z");
    var webhook =
        new Webhook(
            "w", "https://example.test", List.of(), null, true, "new", "old", end, null, end, 2);

    assertThat(webhook.secrets(end.minusMillis(1))).containsExactly("new", "old");
    assertThat(webhook.secrets(end)).containsExactly("new");
    assertThat(webhook.toString()).doesNotContain("new").doesNotContain("old");
  }

  @Test
  void secrets_thatWereReplaced_signUntilTheirOwnEnds() {
    var start = Instant.parse("2026-03-02T12:00:00Z");
    var webhook = created();
    for (int i = 1; i <= 3; i++) {
      var now = start.plusSeconds(i);
      var next = "secret " + i;
      webhooks.change(webhook.webhookId(), was -> was.withSecret(next, now, now.plusSeconds(60)));
    }

    var stored = webhooks.get(webhook.webhookId()).orElseThrow();
    assertThat(stored.secrets(start.plusSeconds(60)))
        .containsExactly("secret 3", "secret 2", "secret 1", "whsec_present");
    assertThat(stored.secrets(start.plusSeconds(61)))
        .containsExactly("secret 3", "secret 2", "secret 1");
    assertThat(stored.secrets(start.plusSeconds(63))).containsExactly("secret 3");
    assertThat(String.valueOf(stored.olderSecrets())).doesNotContain("secret 1");
    // What has ended is not stored again.
    assertThat(
            stored.withSecret("next", start.plusSeconds(62), start.plusSeconds(122)).olderSecrets())
        .extracting(FormerSecret::secret)
        .containsExactly("secret 2");
  }

  private WebhookDelivery call(String id, int seconds, boolean isDelivered) {
    return new WebhookDelivery(
        id,
        "post.created",
        table.clock().instant().plusSeconds(seconds),
        isDelivered,
        isDelivered ? 204 : null,
        isDelivered ? null : "x".repeat(300),
        3);
  }

  @Test
  void deliveries_keepTheLastOfEachOutcome() {
    var id = created().webhookId();
    history.add(id, List.of(call("failed", 0, false)));

    for (int i = 1; i <= 15; i++) {
      history.add(id, List.of(call("ok" + i, i, true)));
    }

    var kept = history.of(id).orElseThrow();
    assertThat(kept).hasSize(11);
    assertThat(kept.getFirst().eventId()).isEqualTo("ok15");
    assertThat(kept.getLast().eventId()).isEqualTo("failed");
    assertThat(error(kept.getLast())).hasSize(200);
  }

  private static @Nullable String error(WebhookDelivery delivery) {
    return delivery.error();
  }

  @Test
  void deliveries_endAfterAWeek() {
    var id = created().webhookId();
    history.add(id, List.of(call("old", 0, true)));

    table.clock().advance(WebhookDeliveries.KEPT_FOR);

    assertThat(history.of(id)).hasValue(List.of());
  }

  @Test
  void deliveries_addedConcurrently_areAllKept() {
    var id = created().webhookId();

    AtOnce.run(
        8,
        i -> {
          history.add(id, List.of(call("ok" + i, i, true)));
          return true;
        });

    assertThat(history.of(id).orElseThrow()).hasSize(8);
  }

  @Test
  void deliveries_ofADeletedWebhook_areNotCreated() {
    var id = created().webhookId();
    webhooks.delete(id);

    history.add(id, List.of(call("late", 0, true)));

    assertThat(history.of(id)).isEmpty();
    assertThat(exists(WebhookDeliveries.key(id))).isFalse();
  }
}
