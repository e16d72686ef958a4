package social.feed.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import social.feed.event.DomainEvent;
import social.feed.streams.LaneFilter;
import social.feed.streams.Multiplexer;
import social.feed.streams.event.EventContent;
import social.feed.streams.plan.Lane;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.testkit.simulation.StreamedTable;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * A history whose events go through a queue that fails, loses answers, repeats and reorders. The
 * lane gets batches again whose answer was lost.
 */
abstract class SinkHistory extends LaneHistory {
  private static final int RARE = 20;
  private static final int BATCH = 9;
  private static final int RECEIVED_AT_ONCE = 10;

  private record Waiting(SinkMessage message, Instant due) {}

  private final List<Waiting> queue = new ArrayList<>();

  /** The dead letters: nothing lasts long enough for one. */
  final List<String> givenUp = new ArrayList<>();

  SinkHistory(StreamedTable table, long seed, Instant start) {
    super(table, seed, start);
  }

  /** Whether the queue loses a message and confirms it. */
  boolean losesMessage() {
    return false;
  }

  /** Whether the lane gets a record. */
  boolean isWanted(DynamodbStreamRecord record) {
    return LaneFilter.acceptsWithEvents(Lane.EFFECTS, record);
  }

  final EventOutbox outbox(Function<DomainEvent, Collection<String>> wanting) {
    return new EventOutbox(this::send, wanting, clock);
  }

  final SinkConsumer consumer(
      Function<String, Optional<Publisher>> publishers,
      Function<DomainEvent, Collection<String>> wanting) {
    return new SinkConsumer(
        publishers,
        wanting,
        new EventContent(sound, clock),
        this::send,
        (message, reason) -> givenUp.add(message + " " + reason),
        clock);
  }

  static DomainEvent versioned(DomainEvent event, String version) {
    return new DomainEvent(
        event.type(), event.at(), event.entity(), version, event.actor(), event.data());
  }

  /**
   * Delivers the stream as an event source does: a batch comes again from where it failed. Returns
   * whether there was a record.
   */
  final boolean deliver(Multiplexer multiplexer) {
    var left = newRecords().stream().filter(this::isWanted).toList();
    boolean isAny = !left.isEmpty();
    while (!left.isEmpty()) {
      var batch = left.subList(0, Math.min(left.size(), 1 + random.nextInt(BATCH)));
      int done = handled(multiplexer, batch);
      left = left.subList(chance(5) ? 0 : done, left.size());
    }
    return isAny;
  }

  /** Delivers until the multiplexer's own writes have come back through the stream as well. */
  final void deliverAll(Multiplexer multiplexer) {
    boolean isAny = true;
    while (isAny) {
      isAny = deliver(multiplexer);
    }
  }

  private void send(List<SinkMessage> messages, Duration delay) {
    if (chance(RARE)) {
      throw SdkClientException.create("The queue is away");
    }
    for (var message : messages) {
      if (!losesMessage()) {
        queue.add(new Waiting(message, clock.instant().plus(delay)));
      }
    }
    if (chance(RARE)) {
      throw SdkClientException.create("The answer of the queue is lost");
    }
  }

  /** Receives some messages in any order; some come again. */
  final void consume(SinkConsumer consumer) {
    Collections.shuffle(queue, random);
    var now = clock.instant();
    var received = new ArrayList<Waiting>();
    for (var all = queue.iterator(); all.hasNext() && received.size() < RECEIVED_AT_ONCE; ) {
      var waiting = all.next();
      if (!waiting.due().isAfter(now)) {
        received.add(waiting);
        all.remove();
      }
    }
    for (var waiting : received) {
      try {
        consumer.handle(waiting.message());
        if (chance(5)) {
          queue.add(waiting);
        }
      } catch (SdkClientException e) {
        queue.add(waiting);
      }
    }
  }

  /** Whether some of the messages to these sinks are not done with. */
  final boolean areWaiting(Predicate<String> sinks) {
    return queue.stream().anyMatch(waiting -> sinks.test(waiting.message().sink()));
  }
}
