package social.feed.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import social.feed.event.DomainEvent;
import social.feed.streams.LaneFilter;
import social.feed.streams.Multiplexer;
import social.feed.streams.event.EventContent;
import social.feed.streams.plan.Lane;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.SinkConsumer;
import social.feed.streams.sink.SinkMessage;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Post;
import social.feed.table.row.RowKind;
import social.feed.testkit.fault.CrashPoint.Crash;
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

  /** No step back of a clock is longer. */
  private static final Duration STEP_BACK = Duration.ofMinutes(10);

  private static final Set<String> ENDS =
      Set.of(RowKind.POST.name(), RowKind.COMMENT.name(), RowKind.USER.name());

  private final List<Waiting> queue = new ArrayList<>();

  /** All messages that the queue ever had. */
  private final List<SinkMessage> sent = new ArrayList<>();

  /** A message that was given up, and the reason. */
  private record Undelivered(SinkMessage message, String reason) {}

  private final List<Undelivered> deadLetters = new ArrayList<>();

  SinkHistory(StreamedTable table, long seed, Instant start) {
    super(table, seed, start);
  }

  /** Whether the queue loses a message and confirms it. */
  boolean losesMessage() {
    return false;
  }

  /** A point at which a process may be killed. */
  void mayDie() {}

  /** Sees a message before it is a dead letter. */
  void givesUp(SinkMessage message) {}

  /** Sees a record before the lane. */
  void receives(DynamodbStreamRecord received) {}

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
    return consumer(publishers, wanting, sound);
  }

  /**
   * @param content the table from which events get their content
   */
  final SinkConsumer consumer(
      Function<String, Optional<Publisher>> publishers,
      Function<DomainEvent, Collection<String>> wanting,
      Table content) {
    return new SinkConsumer(
        publishers, wanting, new EventContent(content, clock), this::send, this::giveUp, clock);
  }

  /** Deletes one of the posts and takes it out of them; empty if there is none. */
  final Optional<Post> deleteAny(List<Post> posts) {
    var deleted = any(posts);
    deleted.ifPresent(
        post -> {
          posts.remove(post);
          world.posts.delete(post.postId(), post.authorId(), clock.instant());
        });
    return deleted;
  }

  private void giveUp(SinkMessage message, String reason) {
    mayDie();
    givesUp(message);
    deadLetters.add(new Undelivered(message, reason));
    mayDie();
  }

  /** Whether some of the dead letters are such. */
  final boolean isGivenUp(Predicate<SinkMessage> which) {
    return deadLetters.stream().map(Undelivered::message).anyMatch(which);
  }

  /** Returns the dead letters, which are a fault where no sink is down for a day. */
  final List<String> givenUp() {
    return deadLetters.stream().map(one -> one.message() + " " + one.reason()).toList();
  }

  /**
   * Puts dead letters on the queue again, as the command does. One stays where the queue failed or
   * the command was killed, even if the queue has it.
   *
   * @param redriven what the queue gets for a message
   * @return how many it has redriven
   */
  final int redrive(Function<SinkMessage, List<SinkMessage>> redriven) {
    int before = deadLetters.size();
    Collections.shuffle(deadLetters, random);
    for (var one : List.copyOf(deadLetters)) {
      var stored = SinkMessage.read(one.message().body());
      try {
        send(redriven.apply(stored.again(clock.instant())), Duration.ZERO);
        deadLetters.remove(one);
      } catch (SdkClientException | Crash e) {
        // The next redrive has it again.
      }
    }
    return before - deadLetters.size();
  }

  /** Deletes all dead letters, as the command does. */
  final void dropDeadLetters() {
    deadLetters.clear();
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
    return deliver(batch -> handled(multiplexer, batch));
  }

  /**
   * @param lane handles a batch, and returns how many of its records it is done with
   */
  final boolean deliver(ToIntFunction<List<DynamodbStreamRecord>> lane) {
    var records = newRecords();
    records.forEach(SinkHistory::stepBack);
    records.forEach(this::receives);
    var left = records.stream().filter(this::isWanted).toList();
    boolean isAny = !left.isEmpty();
    while (!left.isEmpty()) {
      var batch = left.subList(0, Math.min(left.size(), 1 + random.nextInt(BATCH)));
      int done = lane.applyAsInt(batch);
      left = left.subList(chance(5) ? 0 : done, left.size());
    }
    return isAny;
  }

  /**
   * Lets the clock of the stream step back before some deletions of what never comes back, so that
   * they are older than what they delete.
   */
  private static void stepBack(DynamodbStreamRecord record) {
    var change = record.getDynamodb();
    var time = change.getApproximateCreationDateTime();
    var before = change.getOldImage();
    if (time == null || before == null || change.getNewImage() != null) {
      return;
    }
    var kind = before.get(RowKind.ATTRIBUTE);
    boolean isChosen = String.valueOf(change.getSequenceNumber()).hashCode() % 2 == 0;
    if (isChosen && kind != null && ENDS.contains(kind.getS())) {
      change.setApproximateCreationDateTime(Date.from(time.toInstant().minus(STEP_BACK)));
    }
  }

  /** Delivers until the multiplexer's own writes have come back through the stream as well. */
  final void deliverAll(Multiplexer multiplexer) {
    boolean isAny = true;
    while (isAny) {
      isAny = deliver(multiplexer);
    }
  }

  final void send(List<SinkMessage> messages, Duration delay) {
    mayDie();
    if (chance(RARE)) {
      throw SdkClientException.create("The queue is away");
    }
    for (var message : messages) {
      if (!losesMessage()) {
        queue.add(new Waiting(message, clock.instant().plus(delay)));
        sent.add(message);
      }
    }
    mayDie();
    if (chance(RARE)) {
      throw SdkClientException.create("The answer of the queue is lost");
    }
  }

  /** Receives some messages in any order; some come again. */
  final void consume(SinkConsumer consumer) {
    consume(consumer::handle);
  }

  /**
   * @param consumer handles a message; one that it fails with comes again
   */
  final void consume(Consumer<SinkMessage> consumer) {
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
        consumer.accept(waiting.message());
        if (chance(5)) {
          queue.add(waiting);
        }
      } catch (SdkClientException e) {
        queue.add(waiting);
      }
    }
  }

  /** Puts copies of messages on the queue, however old they are. */
  final void comeAgain(Predicate<SinkMessage> which) {
    sent.stream()
        .filter(which)
        .map(message -> new Waiting(message.again(clock.instant()), clock.instant()))
        .forEach(queue::add);
  }

  /** Whether some of the messages to these sinks are not done with. */
  final boolean areWaiting(Predicate<String> sinks) {
    return queue.stream().anyMatch(waiting -> sinks.test(waiting.message().sink()));
  }
}
