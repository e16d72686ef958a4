package social.feed.streams.sink;

import java.time.Duration;
import java.util.List;

/** The queue between the effects lane and the publishers. */
@FunctionalInterface
public interface SinkQueue {
  /**
   * Puts messages on the queue; returns when all are durable.
   *
   * @param delay the time before they can be received, at most 15 minutes
   * @throws RefusedMessagesException when some are not, and the others are
   * @throws RuntimeException when some may not be
   */
  void send(List<SinkMessage> messages, Duration delay);
}
