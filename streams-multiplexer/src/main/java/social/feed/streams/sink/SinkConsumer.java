package social.feed.streams.sink;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.event.DomainEvent;
import social.feed.streams.event.EventContent;

/**
 * Publishes messages. What could not be published goes back to the queue with a delay, for a day,
 * and is a dead letter then. A sink that fails again and again rests ({@link SinkRests}), and so
 * does one that is slow again and again. One that refuses an event does not; the event is a dead
 * letter after an hour. The order of events is not kept.
 */
public final class SinkConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(SinkConsumer.class);

  /**
   * How long an event is tried that its sink refuses. Nothing else limits these calls, and further
   * ones would hardly bring more.
   */
  private static final Duration REFUSED_FOR = Duration.ofHours(1);

  private final Function<String, Optional<Publisher>> publishers;
  private final Function<DomainEvent, Collection<String>> wanting;
  private final EventContent content;
  private final SinkQueue queue;
  private final SinkDeadLetters deadLetters;
  private final Clock clock;
  private final SinkRests rests;

  /**
   * @param publishers the publisher of a sink; empty for one that is no longer configured, whose
   *     messages are dropped
   * @param wanting the names of the sinks that want an event, for messages to {@link
   *     SinkMessage#EVERY}
   */
  public SinkConsumer(
      Function<String, Optional<Publisher>> publishers,
      Function<DomainEvent, Collection<String>> wanting,
      EventContent content,
      SinkQueue queue,
      SinkDeadLetters deadLetters,
      Clock clock) {
    this.publishers = publishers;
    this.wanting = wanting;
    this.content = content;
    this.queue = queue;
    this.deadLetters = deadLetters;
    this.clock = clock;
    this.rests = new SinkRests(clock);
  }

  /**
   * Publishes a message, or puts it back, also when the rows of its event cannot be read. A message
   * to all sinks, or to all webhooks, becomes one for each, and one that its sink no longer wants
   * is dropped, also while the sink is paused. It is then done with, and can be deleted.
   *
   * @throws RuntimeException when the queue or the registry of webhooks could not be reached; the
   *     message then comes again
   */
  public void handle(SinkMessage message) {
    tried(message).ifPresent(left -> queue.send(List.of(left.message), left.delay));
  }

  /**
   * Publishes a message as {@link #handle}, and leaves it to the caller to put it back.
   *
   * @return the message if it must go back, by {@link #putBack}
   */
  public Optional<Postponed> tried(SinkMessage message) {
    if (message.sink().equals(SinkMessage.EVERY)) {
      return expanded(message, _ -> true);
    }
    var publisher = publishers.apply(message.sink());
    if (publisher.isEmpty()) {
      LOG.atWarn()
          .addKeyValue("event", message.event().id())
          .log("No sink has the name {}: its event is dropped", message.sink());
      return Optional.empty();
    }
    if (!publisher.get().wants(message.event())) {
      // Says nothing about the sink, which goes on to rest.
      return Optional.empty();
    }
    if (publisher.get().isPaused()) {
      return postponed(message, Duration.ZERO, "The sink was disabled or not readable for a day");
    }
    if (message.sink().equals(RegisteredWebhooks.ALL)) {
      return expanded(message, RegisteredWebhooks::isOne);
    }
    var turn = rests.turn(message.sink());
    // A slow sink works, so what has waited for it for a day is published and not given up.
    boolean waits =
        turn.patience().isPositive()
            && !(turn.isOfSlowSink() && message.isTooLate(clock.instant()));
    return waits
        ? postponed(message, turn.patience().plusSeconds(1), "The sink failed for a day")
        : publish(message, publisher.get(), turn);
  }

  /** Puts a message on the queue for each of some sinks that wants the event. */
  private Optional<Postponed> expanded(SinkMessage message, Predicate<String> some) {
    new EventOutbox(queue, event -> wanting.apply(event).stream().filter(some).toList(), clock)
        .put(List.of(message.event()));
    return Optional.empty();
  }

  /**
   * A message that goes back to the queue.
   *
   * @param delay the time before it can be received
   */
  public record Postponed(SinkMessage message, Duration delay) {}

  /**
   * Puts messages back, those with the same delay together, because each request of the queue costs
   * the same.
   *
   * @return the names of those that are on the queue
   */
  public <K> Set<K> putBack(Map<K, Postponed> messages) {
    var done = new HashSet<K>();
    messages.entrySet().stream()
        .collect(Collectors.groupingBy(each -> each.getValue().delay()))
        .forEach((delay, together) -> done.addAll(putBack(together, delay)));
    return done;
  }

  private <K> List<K> putBack(List<Map.Entry<K, Postponed>> together, Duration delay) {
    try {
      queue.send(together.stream().map(each -> each.getValue().message()).toList(), delay);
      return together.stream().map(Map.Entry::getKey).toList();
    } catch (RefusedMessagesException e) {
      LOG.warn("Some of {} messages for sinks come again", together.size(), e);
      return IntStream.range(0, together.size())
          .filter(e::accepts)
          .mapToObj(position -> together.get(position).getKey())
          .toList();
    } catch (RuntimeException e) {
      LOG.warn("{} messages for sinks come again", together.size(), e);
      return List.of();
    }
  }

  /**
   * Counts as a failure also where the sink was not called. So the delay grows, and a message that
   * waits for a day is received some hundred times at most.
   */
  private Optional<Postponed> postponed(SinkMessage message, Duration least, String reason) {
    var failed = message.failed();
    if (failed.isTooLate(clock.instant())) {
      deadLetters.send(failed, reason);
      return Optional.empty();
    }
    var delay = Collections.max(List.of(failed.delay(), least));
    return Optional.of(new Postponed(failed, delay.truncatedTo(ChronoUnit.SECONDS)));
  }

  private Optional<Postponed> publish(
      SinkMessage message, Publisher publisher, SinkRests.Turn turn) {
    Optional<DomainEvent> event = Optional.empty();
    try {
      event = content.publishable(message.event());
    } catch (RuntimeException e) {
      // Says nothing about the sink, which does not rest.
      LOG.atWarn()
          .addKeyValue("event", message.event().id())
          .addKeyValue("failures", message.failures() + 1)
          .log("The rows of an event for sink {} cannot be read", message.sink(), e);
      rests.notCalled(message.sink(), turn);
      return postponed(message, Duration.ZERO, "The rows of the event cannot be read: " + e);
    }
    if (event.isEmpty()) {
      rests.notCalled(message.sink(), turn);
      return Optional.empty();
    }
    var begin = clock.instant();
    try {
      publisher.publish(event.get());
      answered(message.sink(), turn, begin);
      return Optional.empty();
    } catch (RefusedEventException e) {
      answered(message.sink(), turn, begin);
      LOG.atWarn()
          .addKeyValue("event", message.event().id())
          .addKeyValue("failures", message.failures() + 1)
          .log("Sink {} refuses an event: {}", message.sink(), e.getMessage());
      if (clock.instant().isAfter(message.since().plus(REFUSED_FOR))) {
        deadLetters.send(message.failed(), String.valueOf(e.getMessage()));
        return Optional.empty();
      }
      return postponed(message, Duration.ZERO, e.toString());
    } catch (RuntimeException e) {
      int failures = rests.failed(message.sink(), turn);
      LOG.atWarn()
          .addKeyValue("event", message.event().id())
          .addKeyValue("failures", failures)
          .log("Sink {} failed: {}", message.sink(), e.toString());
      return postponed(message, Duration.ZERO, e.toString());
    }
  }

  private void answered(String sink, SinkRests.Turn turn, Instant begin) {
    var took = Duration.between(begin, clock.instant());
    if (rests.answered(sink, turn, took)) {
      LOG.warn("Sink {} took {} ms for an event, and rests as long", sink, took.toMillis());
    }
  }
}
