package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.streams.SinkHarness.BAD;
import static social.feed.streams.SinkHarness.GOOD;
import static social.feed.streams.SinkHarness.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.RefusedEventException;
import social.feed.streams.sink.RegisteredWebhooks;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SqsSinkDeadLetters;
import social.feed.table.row.Webhook;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import software.amazon.awssdk.services.sqs.model.Message;

/** What becomes of the messages of a sink that fails, hangs, is paused or is gone. */
class ITSinkRetries {
  private final SinkHarness harness = SinkHarness.start();
  private final SeedWorld world = harness.world;

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void sinkThatFails_delaysNeitherTheLaneNorOtherSinks() {
    var ann = world.user("ann");
    ann.posts("one");
    ann.posts("two");

    harness.deliver(List.of(BAD, GOOD));
    harness.publishAll();

    assertThat(harness.published).hasSize(3);
    assertThat(harness.tries).as("it rests after its second failure").hasValue(2);
    harness.isBroken.set(false);
    harness.table.clock().advance(Duration.ofMinutes(1));
    harness.table.clock().advance(Duration.ofMinutes(1));
    Polling.until(
        () -> {
          harness.publishAll();
          return harness.published.size() == 6;
        });
    assertThat(harness.published.stream().map(DomainEvent::id).distinct()).hasSize(3);
  }

  @Test
  void sinkThatFailsForADay_leavesDeadLettersThatCanBeRedriven() {
    var ann = world.user("ann");
    harness.deliver(List.of(BAD));
    harness.table.clock().advance(SinkMessage.PATIENCE.plusMinutes(1));

    harness.publishAll();

    assertThat(harness.published).isEmpty();
    var dead = harness.receive(harness.deadLetters);
    assertThat(dead).hasSize(1);
    assertThat(SqsSinkDeadLetters.reason(dead.getFirst())).contains("The broker is down");
    var message = SqsSinkDeadLetters.read(dead.getFirst()).orElseThrow();
    harness.isBroken.set(false);
    harness.queue.send(List.of(message.again(harness.table.clock().instant())), Duration.ZERO);
    harness.table.clock().advance(Duration.ofMinutes(2));
    harness.publishAll();
    assertThat(harness.published)
        .singleElement()
        .satisfies(event -> assertThat(event.entity()).isEqualTo("account:" + ann.id()));
  }

  /** A queue on AWS moves by itself what was received too often. */
  @Test
  void messageThatTheQueueMoved_canBeRedriven() {
    world.user("ann");
    harness.deliver(List.of(BAD));
    var moved = harness.receive(harness.sinks).getFirst();

    assertThat(SqsSinkDeadLetters.read(moved)).contains(SinkMessage.read(moved.body()));
    assertThat(SqsSinkDeadLetters.reason(moved)).contains("too often");
    var other = Message.builder().body("{\"keys\": {}}").build();
    assertThat(SqsSinkDeadLetters.read(other)).isEmpty();
  }

  /** Each time that a message returns costs requests of the queue, however many wait with it. */
  @Test
  void messagesOfASinkThatFailsForADay_returnAHundredTimesEachAtMost() {
    var clock = harness.table.clock();
    var waiting = new PriorityQueue<Waiting>(Comparator.comparing(Waiting::due));
    var dead = new ArrayList<SinkMessage>();
    var consumer =
        new SinkConsumer(
            _ -> Optional.of(harness::publishBadly),
            _ -> List.of(),
            harness.content,
            (messages, delay) ->
                messages.forEach(
                    message -> waiting.add(new Waiting(message, clock.instant().plus(delay)))),
            (message, _) -> dead.add(message),
            clock);
    var event = harness.takeMessage(BAD).again(clock.instant());
    int messages = 20;
    for (int i = 0; i < messages; i++) {
      waiting.add(new Waiting(event, clock.instant()));
    }

    int received = 0;
    while (!waiting.isEmpty()) {
      var next = waiting.poll();
      if (next.due().isAfter(clock.instant())) {
        clock.advance(Duration.between(clock.instant(), next.due()));
      }
      consumer.handle(next.message());
      received++;
    }

    assertThat(dead).hasSize(messages);
    assertThat(received).isBetween(messages * 96, messages * 110);
  }

  private record Waiting(SinkMessage message, Instant due) {}

  /** Each request of the queue costs the same, however many messages it has. */
  @Test
  void messagesThatGoBackTogether_areSentTogether_andNoneIsLost() {
    var message = harness.takeMessage(BAD);
    var requests = new ArrayList<Integer>();
    var longer = Duration.ofSeconds(10);
    var consumer =
        new SinkConsumer(
            _ -> Optional.of(harness::publishBadly),
            _ -> List.of(),
            harness.content,
            (messages, delay) -> {
              if (delay.equals(longer)) {
                throw new IllegalStateException("The queue is away");
              }
              requests.add(messages.size());
            },
            (_, reason) -> {
              throw new AssertionError(reason);
            },
            harness.table.clock());
    var first = consumer.tried(message).orElseThrow();
    var second = consumer.tried(message).orElseThrow();
    var again = consumer.tried(first.message()).orElseThrow();
    assertThat(again.delay()).isEqualTo(longer);

    var done = consumer.putBack(Map.of("a", first, "b", second, "c", again));

    assertThat(requests).containsExactly(2);
    assertThat(done).containsExactlyInAnyOrder("a", "b");
  }

  /** As a receiver that answers 400 to a type that it does not know. */
  @Test
  void sinkThatRefusesOneType_getsTheOthersAtOnce_forADay() {
    var clock = harness.table.clock();
    var ann = world.user("ann");
    ann.likes(ann.posts("Hello"));
    harness.deliver(List.of(BAD));
    var messages = harness.takeMessages();
    var refused = of(messages, EventType.LIKE_CREATED);
    var accepted = of(messages, EventType.POST_CREATED);
    var waiting = new PriorityQueue<Waiting>(Comparator.comparing(Waiting::due));
    var delays = new ArrayList<Duration>();
    var dead = new ArrayList<DomainEvent>();
    var consumer =
        new SinkConsumer(
            _ -> Optional.of(refusing(EventType.LIKE_CREATED)),
            _ -> List.of(),
            harness.content,
            (again, delay) ->
                again.forEach(
                    message -> {
                      delays.add(delay);
                      waiting.add(new Waiting(message, clock.instant().plus(delay)));
                    }),
            (message, _) -> dead.add(message.event()),
            clock);
    int hours = 30;
    var begin = clock.instant();
    for (int i = 0; i < hours; i++) {
      var at = clock.instant().plus(Duration.ofHours(i));
      waiting.add(new Waiting(refused.again(at), at));
      waiting.add(new Waiting(accepted.again(at), at));
    }

    int received = 0;
    while (!waiting.isEmpty()) {
      var next = waiting.poll();
      if (next.due().isAfter(clock.instant())) {
        clock.advance(Duration.between(clock.instant(), next.due()));
      }
      received++;
      int before = delays.size();
      consumer.handle(next.message());
      if (next.message().event().type() == EventType.POST_CREATED) {
        assertThat(delays).as("published at once").hasSize(before);
      }
    }

    assertThat(dead).hasSize(hours).allMatch(it -> it.type() == EventType.LIKE_CREATED);
    assertThat(received).as("a dozen calls each, and one").isBetween(hours * 11, hours * 14);
    assertThat(Duration.between(begin, clock.instant()))
        .as("the last one waits an hour")
        .isBetween(Duration.ofHours(hours), Duration.ofHours(hours).plusMinutes(20));
  }

  /** A batch of the function lasts as long as its slowest call. */
  @Test
  void sinkThatAnswersSlowlyAgain_restsAsLong_andIsNoSinkThatFails() {
    var clock = harness.table.clock();
    var message = harness.takeMessage(BAD).again(clock.instant());
    var call = Duration.ofSeconds(10);
    harness.isBroken.set(false);
    harness.during = () -> clock.advance(call);
    assertThat(harness.consumer.tried(message)).isEmpty();
    assertThat(harness.consumer.tried(message)).as("one slow answer is forgiven").isEmpty();
    assertThat(harness.published).hasSize(2);

    var waits = harness.consumer.tried(message).orElseThrow();

    assertThat(harness.published).as("it was not called").hasSize(2);
    assertThat(waits.delay()).isBetween(call, call.plusSeconds(1));
    var waitedForADay = message.again(clock.instant().minus(SinkMessage.PATIENCE.plusMinutes(1)));
    assertThat(harness.consumer.tried(waitedForADay)).isEmpty();
    assertThat(harness.published).as("it works, so nothing is given up").hasSize(3);
    assertThat(harness.waiting(harness.deadLetters)).isZero();
    clock.advance(waits.delay());
    assertThat(harness.consumer.tried(waits.message())).isEmpty();
    assertThat(harness.published).hasSize(4);
  }

  /** One quick failure in its rest is forgiven as at any other time. */
  @Test
  void sinkThatAnswersSlowly_getsWhatHasWaitedForADay_alsoAfterOneFailure() {
    var clock = harness.table.clock();
    var message = harness.takeMessage(BAD).again(clock.instant());
    harness.isBroken.set(false);
    harness.during = () -> clock.advance(Duration.ofSeconds(10));
    for (int i = 0; i < 2; i++) {
      assertThat(harness.consumer.tried(message)).isEmpty();
    }
    var waitedForADay = message.again(clock.instant().minus(SinkMessage.PATIENCE.plusMinutes(1)));
    harness.during = () -> {};
    harness.isBroken.set(true);
    assertThat(harness.consumer.tried(waitedForADay)).isEmpty();
    assertThat(harness.waiting(harness.deadLetters)).as("it was tried").isEqualTo(1);
    harness.isBroken.set(false);

    assertThat(harness.consumer.tried(waitedForADay)).isEmpty();
    assertThat(harness.published).hasSize(3);
    assertThat(harness.waiting(harness.deadLetters)).isEqualTo(1);
    assertThat(harness.consumer.tried(message)).as("the rest goes on").isPresent();
  }

  @Test
  void sinkThatRefusesSlowlyAgain_restsAsLong() {
    var clock = harness.table.clock();
    var message = harness.takeMessage(BAD).again(clock.instant());
    var calls = new ArrayList<DomainEvent>();
    var consumer =
        new SinkConsumer(
            _ ->
                Optional.of(
                    event -> {
                      calls.add(event);
                      clock.advance(Duration.ofSeconds(10));
                      throw new RefusedEventException("The webhook answered 400");
                    }),
            _ -> List.of(),
            harness.content,
            harness.queue,
            harness.unpublished,
            clock);

    for (int i = 0; i < 3; i++) {
      assertThat(consumer.tried(message)).isPresent();
    }

    assertThat(calls).hasSize(2);
  }

  private static Publisher refusing(EventType type) {
    return event -> {
      if (event.type() == type) {
        throw new RefusedEventException("The webhook answered 400");
      }
    };
  }

  /** A sink that hangs would otherwise have as many calls after its rest as it has messages. */
  @Test
  void sinkThatHangs_hasOneCallAfterEachRest() throws InterruptedException {
    var event = harness.takeMessage(BAD).event();
    var message = harness.messages(BAD, 1, event).getFirst();
    harness.consumer.handle(message);
    harness.consumer.handle(message);
    harness.table.clock().advance(Duration.ofMinutes(1));
    var isCalled = new CountDownLatch(1);
    var isOver = new CountDownLatch(1);
    harness.during =
        () -> {
          if (isCalled.getCount() > 0) {
            isCalled.countDown();
            await(isOver);
          }
        };
    var hanging = Thread.ofVirtual().start(() -> harness.consumer.handle(message));
    isCalled.await();

    for (int i = 0; i < 50; i++) {
      harness.consumer.handle(message);
    }

    assertThat(harness.tries).as("the first two, and the trial").hasValue(3);
    isOver.countDown();
    hanging.join();
    assertThat(harness.waiting(harness.sinks)).isEqualTo(53);
    assertThat(harness.waiting(harness.deadLetters)).isZero();
    // A trial that never ended, as its table was away, does not end the sink.
    harness.during = () -> {};
    harness.isBroken.set(false);
    harness.table.clock().advance(Duration.ofMinutes(1));
    harness.consumer.handle(message);
    assertThat(harness.published).hasSize(1);
    harness.consumer.handle(message);
    assertThat(harness.published).as("all of them again").hasSize(2);
  }

  /** A trial that calls nothing says nothing about the sink. */
  @Test
  void trialOfAnEventThatIsNoLongerPublished_isLeftToTheNextOne() {
    var ann = world.user("ann");
    var deleted = ann.posts("soon deleted");
    ann.likes(deleted);
    harness.deliver(List.of(BAD));
    var messages = harness.takeMessages();
    var account = of(messages, EventType.ACCOUNT_REGISTERED);
    harness.consumer.handle(account);
    harness.consumer.handle(account);
    ann.deletes(deleted);
    harness.isBroken.set(false);
    harness.table.clock().advance(Duration.ofMinutes(1));

    harness.consumer.handle(of(messages, EventType.LIKE_CREATED));
    assertThat(harness.tries).as("those of the failures").hasValue(2);
    harness.consumer.handle(account);

    assertThat(harness.published)
        .extracting(DomainEvent::type)
        .containsExactly(EventType.ACCOUNT_REGISTERED);
  }

  /** As the trial above: what an operator no longer sends to a webhook does not call it. */
  @Test
  void eventThatASinkNoLongerWants_endsNoRest() {
    var ann = world.user("ann");
    ann.likes(ann.posts("Hello"));
    var webhooks = new Webhooks(harness.table.table(), 1);
    webhooks.create(webhook(true));
    var consumer = ofWebhooks(webhooks, _ -> {});
    harness.deliver(List.of("webhook-one"));
    var messages = harness.takeMessages();
    var wanted = of(messages, EventType.ACCOUNT_REGISTERED);
    var other = of(messages, EventType.LIKE_CREATED);
    consumer.handle(wanted);
    consumer.handle(wanted);
    harness.table.clock().advance(Duration.ofMinutes(1));

    consumer.handle(other);
    consumer.handle(wanted);
    assertThat(harness.tries).as("the first two, and the trial after the rest").hasValue(3);
    harness.table.clock().advance(Duration.ofSeconds(2));
    consumer.handle(wanted);

    assertThat(harness.tries).as("the second rest is longer").hasValue(3);
  }

  /** An operator takes a type out of the webhook, so that nothing of it waits any more. */
  @Test
  void eventThatAPausedSinkNoLongerWants_isDropped() {
    var ann = world.user("ann");
    ann.likes(ann.posts("Hello"));
    var webhooks = new Webhooks(harness.table.table(), 1);
    webhooks.create(webhook(false));
    var kept = new ArrayList<EventType>();
    var consumer = ofWebhooks(webhooks, message -> kept.add(message.event().type()));
    harness.deliver(List.of("webhook-one"));

    harness.takeMessages().forEach(consumer::handle);

    assertThat(kept).containsExactly(EventType.ACCOUNT_REGISTERED);
    assertThat(harness.tries).hasValue(0);
  }

  private static Webhook webhook(boolean isEnabled) {
    var types = List.of(EventType.ACCOUNT_REGISTERED.eventName());
    return Webhook.of(
        "one", "https://example.test", types, null, isEnabled, "whsec_x", Instant.EPOCH);
  }

  /**
   * @param back gets each message that goes back to the queue
   */
  private SinkConsumer ofWebhooks(Webhooks webhooks, Consumer<SinkMessage> back) {
    var registered = new RegisteredWebhooks(webhooks);
    return new SinkConsumer(
        sink -> registered.publisher(sink, _ -> harness::publishBadly),
        _ -> List.of(),
        harness.content,
        (messages, _) -> messages.forEach(back),
        (_, reason) -> {
          throw new AssertionError(reason);
        },
        harness.table.clock());
  }

  private static SinkMessage of(List<SinkMessage> messages, EventType type) {
    return messages.stream().filter(it -> it.event().type() == type).findFirst().orElseThrow();
  }

  /** An operator who disables a webhook for an hour loses nothing that waits for it. */
  @Test
  void sinkThatIsPaused_keepsItsMessagesForADay() {
    var message = harness.takeMessage(GOOD);
    var isPaused = new AtomicBoolean(true);
    var calls = new ArrayList<DomainEvent>();
    var sent = new ArrayList<SinkMessage>();
    var dead = new ArrayList<String>();
    var pausing =
        new SinkConsumer(
            _ -> Optional.of(pausable(calls, isPaused)),
            _ -> List.of(),
            harness.content,
            (messages, _) -> sent.addAll(messages),
            (_, reason) -> dead.add(reason),
            harness.table.clock());

    pausing.handle(message);
    assertThat(sent)
        .singleElement()
        .satisfies(it -> assertThat(it.since()).isEqualTo(message.since()));
    isPaused.set(false);
    pausing.handle(sent.getFirst());
    assertThat(calls).as("it did not rest").hasSize(1);

    isPaused.set(true);
    harness.table.clock().advance(SinkMessage.PATIENCE.plusMinutes(1));
    pausing.handle(sent.getFirst());
    assertThat(dead).containsExactly("The sink was disabled or not readable for a day");
    assertThat(calls).hasSize(1);
    assertThat(sent).hasSize(1);
  }

  private static Publisher pausable(List<DomainEvent> calls, AtomicBoolean isPaused) {
    return new Publisher() {
      @Override
      public void publish(DomainEvent event) {
        calls.add(event);
      }

      @Override
      public boolean isPaused() {
        return isPaused.get();
      }
    };
  }

  /** What applies a record again does not know the sinks of the platform. */
  @Test
  void messageToEverySink_isPublishedInThoseThatWantIt() {
    harness.isBroken.set(false);
    world.user("ann");
    harness.deliver(List.of(SinkMessage.EVERY));
    assertThat(harness.waiting(harness.sinks)).isEqualTo(1);

    harness.publishAll();

    assertThat(harness.published).hasSize(2);
    assertThat(harness.published.stream().map(DomainEvent::id).distinct()).hasSize(1);
    assertThat(harness.tries).hasValue(1);
  }

  @Test
  void sinkThatIsNoLongerConfigured_getsNothing() {
    world.user("ann");
    harness.deliver(List.of("gone"));
    harness.publishAll();
    assertThat(harness.waiting(harness.sinks)).isZero();
    assertThat(harness.waiting(harness.deadLetters)).isZero();
  }
}
