package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.EventRecordingLogger;
import org.slf4j.event.Level;
import org.slf4j.event.SubstituteLoggingEvent;
import org.slf4j.helpers.SubstituteLogger;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookRegistry;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** When changes of webhooks reach the processes that call them, and what that costs. */
class ITRegisteredWebhooks {
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final String CREATED_AT = "created_at";

  private final TestTable table = TestTable.start();
  private final Webhooks stored = new Webhooks(table.table(), 20);
  private final Queue<SubstituteLoggingEvent> lines = new ArrayDeque<>();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean isDown = new AtomicBoolean();
  private final AtomicInteger tries = new AtomicInteger();
  private final DynamoDbClient client = table.newClient(new Outage(), table.requests());
  private final RegisteredWebhooks webhooks =
      new RegisteredWebhooks(
          new Webhooks(new Table(client, table.table().name(), Retry.standard()), 20),
          nanos::get,
          new EventRecordingLogger(new SubstituteLogger("log", lines, false), lines));
  private final List<String> called = new ArrayList<>();

  /** Fails each request while the table is down. */
  private final class Outage implements ExecutionInterceptor {
    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      if (isDown.get()) {
        tries.incrementAndGet();
        throw SdkClientException.create("The table is away");
      }
    }
  }

  @AfterEach
  void stop() {
    client.close();
    table.close();
  }

  private Webhook webhook(String id, String... eventTypes) {
    var webhook =
        Webhook.of(
            id,
            "https://example.test/" + id,
            List.of(eventTypes),
            null,
            true,
            "whsec_x",
            Instant.EPOCH);
    stored.create(webhook);
    return webhook;
  }

  private void disable(String id) {
    stored.change(id, now -> now.with(now.url(), now.eventTypes(), now.description(), false));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private static DomainEvent event(EventType type) {
    return new DomainEvent(
        type, Instant.EPOCH, "account:ann", "1", "ann", new TreeMap<>(Map.of("user_id", "ann")));
  }

  private static DomainEvent erased() {
    return event(EventType.ACCOUNT_ERASED);
  }

  private void publish(String sink) {
    webhooks
        .publisher(sink, webhook -> _ -> called.add(webhook.webhookId()))
        .orElseThrow()
        .publish(erased());
  }

  @Test
  void webhook_thatIsCreated_getsEventsWithinASecond() {
    assertThat(webhooks.isInUse()).isFalse();
    webhook("one");
    pass(LONGEST.minusMillis(1));
    assertThat(webhooks.wanting(erased())).as("not asked for again yet").isEmpty();

    pass(Duration.ofMillis(1));

    assertThat(webhooks.isInUse()).isTrue();
    assertThat(webhooks.wanting(erased())).containsExactly("webhook-one");
    publish("webhook-one");
    assertThat(called).containsExactly("one");
  }

  /** Its messages wait: it may be enabled again. Those of a deleted one are dropped. */
  @Test
  void webhook_thatIsDisabledOrDeleted_isNotCalledAfterASecond() {
    webhook("one");
    webhook("two");
    assertThat(isPaused("webhook-one")).isFalse();
    assertThat(webhooks.wanting(erased())).containsExactlyInAnyOrder("webhook-one", "webhook-two");

    disable("one");
    stored.delete("two");
    pass(LONGEST);

    assertThat(webhooks.isInUse()).isFalse();
    assertThat(webhooks.wanting(erased())).isEmpty();
    // Messages that are still in the queue.
    assertThat(isPaused("webhook-one")).isTrue();
    assertThat(isPaused("webhook-two")).isFalse();
    publish("webhook-two");
    assertThat(called).isEmpty();
  }

  /** The deletion itself has to be noticed, and not a change of another webhook. */
  @Test
  void webhook_thatIsDeletedWithoutAnotherChange_isNotCalledAfterASecond() {
    webhook("one");
    webhook("two");
    assertThat(webhooks.wanting(erased())).hasSize(2);

    stored.delete("two");
    pass(LONGEST);

    assertThat(webhooks.wanting(erased())).containsExactly("webhook-one");
    publish("webhook-two");
    assertThat(called).isEmpty();
  }

  private boolean isPaused(String sink) {
    return webhooks.publisher(sink, _ -> _ -> {}).orElseThrow().isPaused();
  }

  @Test
  void webhook_getsTheTypesThatItWants() {
    webhook("all");
    webhook("some", "account.erased", "post.created");
    webhook("others", "post.created");

    assertThat(webhooks.wanting(erased())).containsExactlyInAnyOrder("webhook-all", "webhook-some");
    publish("webhook-others");
    assertThat(called).as("wanted it when it was put on the queue").isEmpty();
  }

  /** Also when its types were changed while the message was in the queue. */
  @Test
  void webhook_getsATypeThatIsNotPublicOnlyByItsName() {
    webhook("all");
    webhook("named", "notification.created");
    var notified =
        new DomainEvent(
            EventType.NOTIFICATION_CREATED,
            Instant.EPOCH,
            "notification:ann:1",
            "1",
            "bob",
            new TreeMap<>(Map.of("user_id", "ann", "notification_id", "1", "kind", "like")));

    assertThat(webhooks.wanting(notified)).containsExactly("webhook-named");
    for (var sink : List.of("webhook-all", "webhook-named")) {
      webhooks
          .publisher(sink, webhook -> _ -> called.add(webhook.webhookId()))
          .orElseThrow()
          .publish(notified);
    }
    assertThat(called).containsExactly("named");
  }

  @Test
  void sinkOfAnotherKind_isNone() {
    assertThat(webhooks.publisher("webhook:f00d", _ -> _ -> {})).isEmpty();
  }

  @Test
  void unchangedWebhooks_costOneReadASecond() {
    webhook("one");
    webhook("two");
    webhooks.isInUse();
    table.requests().take();

    for (int i = 0; i < 100; i++) {
      pass(Duration.ofMillis(100));
      webhooks.wanting(erased());
      webhooks.isInUse();
    }

    assertThat(table.requests().take())
        .extracting(request -> request.getClass().getSimpleName())
        .hasSize(10)
        .containsOnly("GetItemRequest");
  }

  @Test
  void registryThatCannotBeRead_losesNoEvent() {
    webhook("one");
    isDown.set(true);

    assertThat(webhooks.isInUse()).isTrue();
    assertThatExceptionOfType(SdkClientException.class)
        .isThrownBy(() -> webhooks.wanting(erased()));

    isDown.set(false);
    pass(LONGEST);
    assertThat(webhooks.wanting(erased())).containsExactly("webhook-one");
  }

  /**
   * Each record of a batch asks twice, and an attempt of the client is slow while a table is away.
   */
  @Test
  void registryThatCannotBeRead_isAskedForOnceASecond() {
    webhook("one");
    isDown.set(true);
    tries.set(0);

    for (int i = 0; i < 100; i++) {
      assertThat(webhooks.isInUse()).isTrue();
      assertThatExceptionOfType(SdkClientException.class)
          .isThrownBy(() -> webhooks.wanting(erased()));
      pass(Duration.ofMillis(100));
    }

    assertThat(tries).hasValue(10);
  }

  /** What was known before does not hide that changes are missed now. */
  @Test
  void registryThatCanNoLongerBeRead_isNotKnown() {
    webhook("one");
    assertThat(webhooks.wanting(erased())).containsExactly("webhook-one");
    isDown.set(true);
    pass(LONGEST);

    assertThatExceptionOfType(SdkClientException.class)
        .isThrownBy(() -> webhooks.publisher("webhook-one", _ -> _ -> {}));
  }

  private void setVersion(AttributeValue version) {
    assertThat(
            table
                .table()
                .update(
                    WebhookRegistry.KEY,
                    new Update().set(WebhookRegistry.VERSION, version),
                    Condition.present())
                .isDone())
        .isTrue();
  }

  private AttributeValue damageRegistry() {
    var right =
        Objects.requireNonNull(
            table.table().get(WebhookRegistry.KEY).orElseThrow().get(WebhookRegistry.VERSION));
    setVersion(AttributeValue.fromS("unreadable"));
    return right;
  }

  /** An event that could not be decided on would be a dead letter, also for all other sinks. */
  @Test
  void registryThatCannotBeDecoded_isTheLastOneThatCould() {
    webhook("one");
    assertThat(webhooks.wanting(erased())).containsExactly("webhook-one");
    webhook("two");
    var right = damageRegistry();

    for (int i = 0; i < 3; i++) {
      pass(LONGEST);
      assertThat(webhooks.isInUse()).isTrue();
      assertThat(webhooks.wanting(erased()))
          .as("the second one keeps those for others")
          .containsExactly("webhook-one", "webhook-*");
      publish("webhook-one");
      assertThat(isPaused("webhook-two")).as("it may exist").isTrue();
      assertThat(isPaused("webhook-*")).isTrue();
    }

    assertThat(called).hasSize(3);
    assertThat(lines).as("one line for all reads").hasSize(1);
    assertThat(lines.element().getLevel()).isEqualTo(Level.ERROR);
    setVersion(right);
    pass(LONGEST);
    assertThat(webhooks.wanting(erased())).containsExactlyInAnyOrder("webhook-one", "webhook-two");
    assertThat(isPaused("webhook-two")).isFalse();
    assertThat(isPaused("webhook-*")).isFalse();
  }

  @Test
  void registryThatWasNeverDecoded_pausesAllWebhooks() {
    webhook("one");
    var right = damageRegistry();

    assertThat(webhooks.isInUse()).as("there may be some").isTrue();
    assertThat(webhooks.wanting(erased())).as("kept for all").containsExactly("webhook-*");
    assertThat(isPaused("webhook-one")).isTrue();
    assertThat(isPaused("webhook-*")).isTrue();

    setVersion(right);
    pass(LONGEST);
    assertThat(webhooks.wanting(erased())).containsExactly("webhook-one");
    assertThat(isPaused("webhook-one")).isFalse();
  }

  private void set(String id, AttributeValue createdAt) {
    assertThat(
            table
                .table()
                .update(
                    Webhook.key(id), new Update().set(CREATED_AT, createdAt), Condition.present())
                .isDone())
        .isTrue();
  }

  private AttributeValue damage(String id) {
    var right =
        Objects.requireNonNull(table.table().get(Webhook.key(id)).orElseThrow().get(CREATED_AT));
    set(id, AttributeValue.fromS("unreadable"));
    return right;
  }

  /** Its messages wait as those of a disabled one, and a correction by hand has no new version. */
  @Test
  void rowThatCannotBeDecoded_pausesItsWebhookOnly_untilItIsCorrected() {
    webhook("one");
    webhook("two");
    var right = damage("one");

    assertThat(webhooks.isInUse()).isTrue();
    assertThat(webhooks.wanting(erased())).containsExactly("webhook-two");
    publish("webhook-two");
    assertThat(called).containsExactly("two");
    assertThat(isPaused("webhook-one")).isTrue();
    assertThat(webhooks.publisher("webhook-one", _ -> _ -> {}).orElseThrow().wants(erased()))
        .as("its messages are kept")
        .isTrue();

    set("one", right);
    pass(LONGEST);
    assertThat(webhooks.wanting(erased())).containsExactlyInAnyOrder("webhook-one", "webhook-two");
    assertThat(isPaused("webhook-one")).isFalse();
  }

  @Test
  void rowThatCannotBeDecoded_isLoggedOnce_withoutItsSecret() {
    webhook("one");
    damage("one");

    for (int i = 0; i < 3; i++) {
      webhooks.wanting(erased());
      pass(LONGEST);
    }

    assertThat(lines).hasSize(1);
    assertThat(lines.element().getMessage())
        .isEqualTo("A webhook gets no events: the item at {} cannot be decoded");
    assertThat(lines.element().getArgumentArray()).containsExactly(Webhook.key("one"));
  }

  /** The tests above would see a process that never asks again. */
  @Test
  void processWhoseClockStands_missesTheChange() {
    assertThat(webhooks.isInUse()).isFalse();

    webhook("one");

    assertThat(webhooks.isInUse()).isFalse();
  }
}
