package social.feed.streams.sink;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import social.feed.event.DomainEvent;
import social.feed.table.kernel.time.Timestamps;

/**
 * Puts events on the queue, one message for each sink that wants the event. What no sink wants is
 * not written anywhere.
 */
public final class EventOutbox {
  /** Has no sinks. */
  public static final EventOutbox NONE =
      new EventOutbox((_, _) -> {}, _ -> List.of(), Clock.systemUTC());

  private final SinkQueue queue;
  private final Function<DomainEvent, Collection<String>> sinks;
  private final Clock clock;

  /**
   * @param sinks the names of the sinks that want an event
   */
  public EventOutbox(
      SinkQueue queue, Function<DomainEvent, Collection<String>> sinks, Clock clock) {
    this.queue = queue;
    this.sinks = sinks;
    this.clock = clock;
  }

  /**
   * Puts events on the queue; returns when all are durable.
   *
   * @throws RuntimeException when some may not be; all may then come again
   */
  public void put(List<DomainEvent> events) {
    var now = Timestamps.now(clock);
    var messages = events.stream().flatMap(event -> messages(event, now).stream()).toList();
    if (!messages.isEmpty()) {
      queue.send(messages, Duration.ZERO);
    }
  }

  /**
   * Puts events on the queue for one sink, whatever it wants; returns when all are durable.
   *
   * @throws RuntimeException when some may not be; all may then come again
   */
  public void put(List<DomainEvent> events, String sink) {
    var now = Timestamps.now(clock);
    queue.send(
        events.stream().map(event -> new SinkMessage(sink, 0, now, event)).toList(), Duration.ZERO);
  }

  private List<SinkMessage> messages(DomainEvent event, Instant now) {
    return sinks.apply(event).stream().map(sink -> new SinkMessage(sink, 0, now, event)).toList();
  }
}
