package social.feed.streams.sink;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.table.kernel.store.CallTimeouts;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClientBuilder;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;

/**
 * Publishes events on a bus of EventBridge: the source is {@link #SOURCE}, the detail type is the
 * type of the event, and the detail is the event. One request for each event. A request of several
 * would cost the same, and its entries fail one by one. The bus keeps no order, and may deliver an
 * event to a rule more than once.
 */
public final class EventBridgeEvents implements Publisher {
  /** The name of the sink. */
  public static final String NAME = "eventbridge";

  /** The source of the events, by which rules find them. */
  public static final String SOURCE = "feed.events";

  /** What EventBridge accepts in a request, with the bytes of time, source and detail type. */
  static final int MAX_BYTES = 256 * 1024;

  /** The time of a call with all its attempts, shorter than a queue hides a message. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private static final Duration ATTEMPT = Duration.ofSeconds(4);

  /** EventBridge counts this for the time of an entry. */
  private static final int TIME_BYTES = 14;

  private final EventBridgeClient client;
  private final String bus;

  /**
   * @param bus the name of the bus, or its ARN
   */
  public EventBridgeEvents(EventBridgeClient client, String bus) {
    this.client = client;
    this.bus = bus;
  }

  /** Limits the time of each call. */
  public static EventBridgeClientBuilder bounded(EventBridgeClientBuilder client) {
    return client.overrideConfiguration(
        o -> CallTimeouts.limit(o, LONGEST).apiCallAttemptTimeout(ATTEMPT));
  }

  @Override
  public void publish(DomainEvent event) {
    var type = event.type().eventName();
    var detail = EventJson.write(event);
    int bytes = TIME_BYTES + bytes(SOURCE) + bytes(type) + bytes(detail);
    if (bytes > MAX_BYTES) {
      throw new IllegalStateException(
          "EventBridge accepts %d bytes, and the event has %d".formatted(MAX_BYTES, bytes));
    }
    var entry =
        PutEventsRequestEntry.builder()
            .eventBusName(bus)
            .source(SOURCE)
            .detailType(type)
            .time(event.at())
            .detail(detail)
            .build();
    try {
      var answer = client.putEvents(put -> put.entries(entry));
      // A request succeeds even if no entry does.
      if (answer.failedEntryCount() == null || answer.failedEntryCount() > 0) {
        throw new IllegalStateException("EventBridge refused the event: " + answer.entries());
      }
    } catch (SdkException e) {
      throw new IllegalStateException("EventBridge did not confirm the event: " + e, e);
    }
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
