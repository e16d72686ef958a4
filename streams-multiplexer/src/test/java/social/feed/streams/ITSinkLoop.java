package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.streams.SinkHarness.BAD;
import static social.feed.streams.SinkHarness.GOOD;
import static social.feed.streams.SinkHarness.await;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.event.EventType;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkLoop;
import social.feed.streams.sink.SqsSinkQueue;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/** The loop between a real queue and the sinks. */
class ITSinkLoop {
  /** The calls of a sink that the loop makes at once. */
  private static final int SINK_CALLS_AT_ONCE = 4;

  private final SinkHarness harness = SinkHarness.start();
  private final SeedWorld world = harness.world;

  @AfterEach
  void stop() {
    harness.close();
  }

  /** Of a message that finds no place the queue would have to give another copy, much later. */
  @Test
  void burstOfMessages_isReceivedOnce() {
    var received = new AtomicInteger();
    var event = harness.takeMessage(BAD).event();
    var burst = SinkLoop.TAKEN;
    harness.queue.send(harness.messages(BAD, burst, event), Duration.ZERO);
    harness.isBroken.set(false);
    var isFull = new CountDownLatch(1);
    harness.during = () -> await(isFull);

    try (var _ =
        SinkLoop.start(
            new SqsSinkQueue(counting(received), harness.sinks),
            harness.consumer,
            harness.unpublished)) {
      Polling.until(() -> received.get() >= burst);
      isFull.countDown();
      Polling.until(() -> harness.published.size() >= burst);
    }

    assertThat(received).hasValue(burst);
    assertThat(harness.waiting(harness.sinks)).isZero();
  }

  /** Those that find no place come again later, and do not count as taken in the meantime. */
  @Test
  void sinkThatHungWithTooManyMessages_takesAsManyAsBefore() {
    // If those that were refused counted as taken, the second round would have a hundred places.
    int over = SinkLoop.TAKEN - 100;
    var received = new AtomicInteger();
    var event = harness.takeMessage(BAD).event();
    harness.isBroken.set(false);

    try (var _ =
        SinkLoop.start(
            new SqsSinkQueue(counting(received), harness.sinks),
            harness.consumer,
            harness.unpublished)) {
      for (int round = 1; round <= 2; round++) {
        var isFull = new CountDownLatch(1);
        harness.during = () -> await(isFull);
        int before = received.get();
        int published = harness.published.size();
        harness.queue.send(harness.messages(BAD, SinkLoop.TAKEN + over, event), Duration.ZERO);
        Polling.until(() -> received.get() >= before + SinkLoop.TAKEN + over);
        isFull.countDown();
        Polling.until(() -> harness.published.size() >= published + SinkLoop.TAKEN);
      }
    }
  }

  /** Returns the client, which counts the messages that it receives. */
  private SqsClient counting(AtomicInteger received) {
    return (SqsClient)
        Proxy.newProxyInstance(
            SqsClient.class.getClassLoader(),
            new Class<?>[] {SqsClient.class},
            (_, method, arguments) -> {
              var response = method.invoke(harness.client, arguments);
              if (response instanceof ReceiveMessageResponse messages) {
                received.addAndGet(messages.messages().size());
              }
              return response;
            });
  }

  /** Each sink that hangs has more messages than the loop takes, and comes before the good one. */
  @Test
  void sinksThatHang_doNotDelayAnother() throws InterruptedException {
    var isOver = new CountDownLatch(1);
    var good = new CountDownLatch(3);
    var calls = new ConcurrentHashMap<String, AtomicInteger>();
    var event = harness.takeMessage(GOOD).event();
    var hanging = List.of("hangs-1", "hangs-2", "hangs-3", "hangs-4", "hangs-5");
    for (var sink : hanging) {
      harness.queue.send(harness.messages(sink, SinkLoop.TAKEN + 20, event), Duration.ZERO);
    }
    harness.queue.send(harness.messages(GOOD, 3, event), Duration.ZERO);
    var consumer =
        new SinkConsumer(
            sink ->
                Optional.of(
                    _ -> {
                      calls.computeIfAbsent(sink, _ -> new AtomicInteger()).incrementAndGet();
                      if (sink.equals(GOOD)) {
                        good.countDown();
                      } else {
                        await(isOver);
                      }
                    }),
            _ -> List.of(),
            harness.content,
            harness.queue,
            harness.unpublished,
            harness.table.clock());

    try (var _ = SinkLoop.start(harness.queue, consumer, harness.unpublished)) {
      try {
        assertThat(good.await(60, TimeUnit.SECONDS)).isTrue();
        Polling.until(() -> calls.keySet().containsAll(hanging));
        assertThat(hanging)
            .allSatisfy(sink -> assertThat(calls.get(sink)).hasValueBetween(1, SINK_CALLS_AT_ONCE));
      } finally {
        isOver.countDown();
      }
    }
  }

  /** As where the queue does not take it back, or the process is killed. */
  @Test
  void messageWhoseHandlingFails_staysOnTheQueue() {
    var isTried = new CountDownLatch(1);
    var event = harness.takeMessage(GOOD).event();
    harness.queue.send(harness.messages(GOOD, 1, event), Duration.ZERO);
    var consumer =
        new SinkConsumer(
            _ ->
                Optional.of(
                    _ -> {
                      throw new IllegalStateException("no answer");
                    }),
            _ -> List.of(),
            harness.content,
            (_, _) -> {
              isTried.countDown();
              throw new IllegalStateException("the queue does not answer");
            },
            harness.unpublished,
            harness.table.clock());

    try (var _ = SinkLoop.start(harness.queue, consumer, harness.unpublished)) {
      await(isTried);
    }

    assertThat(harness.waiting(harness.sinks)).isEqualTo(1);
  }

  /** After a downgrade a message may have a type that this version does not know. */
  @Test
  void messageThatCannotBeRead_isADeadLetterAsItWas() {
    world.user("ann");
    harness.deliver(List.of(GOOD));
    var body = harness.receive(harness.sinks).getFirst().body();
    var later = body.replace(EventType.ACCOUNT_REGISTERED.eventName(), "account.renamed");
    for (var sent : List.of(later, body)) {
      harness.client.sendMessage(m -> m.queueUrl(harness.sinks).messageBody(sent));
    }

    try (var _ = SinkLoop.start(harness.queue, harness.consumer, harness.unpublished)) {
      Polling.until(() -> harness.published.size() == 1 && harness.waiting(harness.sinks) == 0);
    }

    assertThat(harness.receive(harness.deadLetters))
        .extracting(Message::body)
        .containsExactly(later);
  }
}
