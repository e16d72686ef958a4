package social.feed.streams.sink;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.event.DomainEvent;
import social.feed.streams.event.EventContent;

/**
 * Publishes messages. What could not be published goes back to the queue with a delay, for a day,
 * and is a dead letter then. After a failure the sink rests: its messages wait without a try, so
 * that a slow sink does not take the time of the others. After its rest one message tries whether
 * it works again, and the others wait for that. So a sink that hangs takes one call of each rest.
 * The order of events is not kept.
 */
public final class SinkConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(SinkConsumer.class);

  /** How long a sink rests after a failure, doubled up to the last with each further failure. */
  private static final List<Duration> RESTS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofSeconds(60));

  /** Longer than a call of a publisher takes. */
  private static final Duration TRIAL = Duration.ofSeconds(15);

  private final Function<String, Optional<Publisher>> publishers;
  private final Function<DomainEvent, Collection<String>> wanting;
  private final EventContent content;
  private final SinkQueue queue;
  private final SinkDeadLetters deadLetters;
  private final Clock clock;
  private final Map<String, Rest> resting = new ConcurrentHashMap<>();

  /** A sink that failed some times in a row. */
  private record Rest(int failures, Instant until) {}

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
  }

  /**
   * Publishes a message, or puts it back, also when the rows of its event cannot be read. A message
   * to all sinks becomes one for each, and one that its sink no longer wants is dropped, also while
   * the sink is paused. It is then done with, and can be deleted.
   *
   * @throws RuntimeException when the queue or the registry of webhooks could not be reached; the
   *     message then comes again
   */
  public void handle(SinkMessage message) {
    if (message.sink().equals(SinkMessage.EVERY)) {
      new EventOutbox(queue, wanting, clock).put(List.of(message.event()));
      return;
    }
    var publisher = publishers.apply(message.sink());
    if (publisher.isEmpty()) {
      LOG.atWarn()
          .addKeyValue("event", message.event().id())
          .log("No sink has the name {}: its event is dropped", message.sink());
      return;
    }
    if (!publisher.get().wants(message.event())) {
      // Says nothing about the sink, which goes on to rest.
      return;
    }
    if (publisher.get().isPaused()) {
      postpone(message, Duration.ZERO, "The sink was disabled or not readable for a day");
      return;
    }
    var turn = turn(message.sink());
    if (turn.patience().isPositive()) {
      postpone(message, turn.patience().plusSeconds(1), "The sink failed for a day");
    } else {
      publish(message, publisher.get(), turn);
    }
  }

  /**
   * What a message does now.
   *
   * @param patience how long it waits; zero for one that is published
   * @param trial the rest during its publication, if that is a trial
   */
  private record Turn(Duration patience, Optional<Rest> trial) {
    static Turn after(Duration patience) {
      return new Turn(patience, Optional.empty());
    }
  }

  private Turn turn(String sink) {
    var rest = resting.get(sink);
    if (rest == null) {
      return Turn.after(Duration.ZERO);
    }
    var now = clock.instant();
    if (rest.until().isAfter(now)) {
      return Turn.after(Duration.between(now, rest.until()));
    }
    var trial = new Rest(rest.failures(), now.plus(TRIAL));
    return resting.replace(sink, rest, trial)
        ? new Turn(Duration.ZERO, Optional.of(trial))
        : Turn.after(TRIAL);
  }

  /**
   * Counts as a failure also where the sink was not called. So the delay grows, and a message that
   * waits for a day is received some hundred times at most.
   */
  private void postpone(SinkMessage message, Duration least, String reason) {
    var failed = message.failed();
    if (failed.isTooLate(clock.instant())) {
      deadLetters.send(failed, reason);
    } else {
      queue.send(List.of(failed), Collections.max(List.of(failed.delay(), least)));
    }
  }

  private void publish(SinkMessage message, Publisher publisher, Turn turn) {
    Optional<DomainEvent> event = Optional.empty();
    try {
      event = content.publishable(message.event());
    } catch (RuntimeException e) {
      // Says nothing about the sink, which does not rest.
      LOG.atWarn()
          .addKeyValue("event", message.event().id())
          .addKeyValue("failures", message.failures() + 1)
          .log("The rows of an event for sink {} cannot be read", message.sink(), e);
      turn.trial().ifPresent(trial -> giveBack(message.sink(), trial));
      postpone(message, Duration.ZERO, "The rows of the event cannot be read: " + e);
      return;
    }
    if (event.isEmpty()) {
      turn.trial().ifPresent(trial -> giveBack(message.sink(), trial));
      return;
    }
    var failure = failure(publisher, event.get());
    if (failure.isEmpty()) {
      resting.remove(message.sink());
      return;
    }
    var reason = failure.get();
    rest(message, reason);
    postpone(message, Duration.ZERO, reason.toString());
  }

  /** Lets the next message try a sink that was not called. */
  private void giveBack(String sink, Rest trial) {
    resting.replace(sink, trial, new Rest(trial.failures(), clock.instant()));
  }

  private static Optional<RuntimeException> failure(Publisher publisher, DomainEvent event) {
    try {
      publisher.publish(event);
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  private void rest(SinkMessage message, RuntimeException reason) {
    var rest =
        resting.merge(
            message.sink(),
            new Rest(1, clock.instant().plus(RESTS.getFirst())),
            (before, _) ->
                new Rest(
                    before.failures() + 1,
                    clock
                        .instant()
                        .plus(RESTS.get(Math.min(before.failures(), RESTS.size() - 1)))));
    LOG.atWarn()
        .addKeyValue("event", message.event().id())
        .addKeyValue("failures", rest.failures())
        .log("Sink {} failed: {}", message.sink(), reason.toString());
  }
}
