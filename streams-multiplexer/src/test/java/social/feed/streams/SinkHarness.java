package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import social.feed.engine.eventsource.StreamTail;
import social.feed.event.DomainEvent;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.event.EventContent;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SinkQueue;
import social.feed.streams.sink.SinkQueues;
import social.feed.streams.sink.SqsSinkDeadLetters;
import social.feed.streams.sink.SqsSinkQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * A table whose stream becomes messages of a real queue, and a consumer that publishes them in two
 * sinks. Nothing is delivered before a test says so.
 */
final class SinkHarness implements AutoCloseable {
  /** A sink that always publishes. */
  static final String GOOD = "good";

  /** A sink that fails while {@link #isBroken}. */
  static final String BAD = "bad";

  /** How long notifications are kept. */
  static final Duration KEPT = Duration.ofDays(90);

  final TestTable table = TestTable.start();
  final SeedWorld world = new SeedWorld(table.table(), table.clock());
  private final SinkQueues queues = new SinkQueues();
  final SqsClient client = queues.client;
  final String sinks = queues.sinks;
  final String deadLetters = queues.deadLetters;
  final SqsSinkQueue queue = queues.queue;
  final SqsSinkDeadLetters unpublished = queues.unpublished;
  private final DynamoDbStreamsClient streams = table.newStreamsClient();
  private final StreamTail tail;

  /** The events that the two sinks published. */
  final List<DomainEvent> published = new CopyOnWriteArrayList<>();

  /** The calls of the sink that fails. */
  final AtomicInteger tries = new AtomicInteger();

  final AtomicBoolean isBroken = new AtomicBoolean(true);

  /** Runs in each call of the sink that fails. */
  volatile Runnable during = () -> {};

  final EventContent content = new EventContent(table.table(), table.clock());
  final SinkConsumer consumer =
      new SinkConsumer(
          sink ->
              Optional.ofNullable(
                  Map.<String, Publisher>of(GOOD, published::add, BAD, this::publishBadly)
                      .get(sink)),
          _ -> List.of(GOOD, BAD),
          content,
          queue,
          unpublished,
          table.clock());

  private SinkHarness() {
    var described = table.client().describeTable(t -> t.tableName(table.table().name())).table();
    tail = new StreamTail(streams, described.latestStreamArn());
  }

  static SinkHarness start() {
    return new SinkHarness();
  }

  /** Turns the changes since the last call into messages to the given sinks. */
  void deliver(List<String> to) {
    deliver(to, queue);
  }

  /** Turns them into messages of another queue. */
  void deliver(List<String> to, SinkQueue other) {
    var multiplexer =
        new Multiplexer(
            table.table(),
            new Plan(KEPT).withEvents(),
            new EffectHandlers(
                table.table(),
                table.clock(),
                EffectSettings.of(20, BatchSizes.STANDARD, ErasureSweeps.Settings.unpaced())
                    .withOutbox(new EventOutbox(other, _ -> to, table.clock()))),
            new CelebrityRule(1_000),
            deadLetter -> {
              throw new AssertionError(deadLetter.reason());
            },
            table.clock());
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(
        tail.read().stream()
            .map(StreamTail.Tailed::record)
            .filter(record -> LaneFilter.acceptsWithEvents(Lane.EFFECTS, record))
            .toList());
    assertThat(multiplexer.handle(Lane.EFFECTS, event).getBatchItemFailures()).isEmpty();
  }

  /** Returns the message about a new account to a sink, which is no longer in the queue. */
  SinkMessage takeMessage(String sink) {
    world.user("ann");
    deliver(List.of(sink));
    return takeMessages().getFirst();
  }

  /** Returns the messages to sinks that can be received now, which are no longer in the queue. */
  List<SinkMessage> takeMessages() {
    return receive(sinks).stream().map(message -> SinkMessage.read(message.body())).toList();
  }

  /** Returns messages to a sink, all with the same event. */
  List<SinkMessage> messages(String sink, int number, DomainEvent event) {
    var now = table.clock().instant();
    return Collections.nCopies(number, new SinkMessage(sink, 0, now, event));
  }

  void publishBadly(DomainEvent event) {
    tries.incrementAndGet();
    during.run();
    if (isBroken.get()) {
      throw new IllegalStateException("The broker is down");
    }
    published.add(event);
  }

  /** Publishes what can be received now. */
  void publishAll() {
    var taken = takeMessages();
    while (!taken.isEmpty()) {
      taken.forEach(consumer::handle);
      taken = takeMessages();
    }
  }

  /** Receives and deletes up to ten messages of a queue. */
  List<Message> receive(String from) {
    return queues.receive(from);
  }

  /** The number of messages of a queue, also of those that are delayed or hidden. */
  long waiting(String at) {
    return queues.waiting(at);
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    streams.close();
    queues.close();
    table.close();
  }
}
