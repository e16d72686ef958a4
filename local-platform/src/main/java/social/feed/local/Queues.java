package social.feed.local;

import java.net.URI;
import java.util.Optional;
import social.feed.engine.LocalQueue;

/**
 * The URLs of the platform's queues.
 *
 * @param deadLetters queue for records that can never be applied
 * @param events queue for the events that other systems receive
 * @param sinks queue for events on their way to other systems; empty where there are no events
 */
record Queues(URI deadLetters, URI events, Optional<URI> sinks) {
  /** Creates the queues of a platform without events. */
  static Queues in(LocalQueue queue) {
    return new Queues(
        queue.createQueue(PlatformSettings.DEAD_LETTERS),
        queue.createQueue(PlatformSettings.EVENTS),
        Optional.empty());
  }

  /** Creates the queue for events as well. */
  Queues withSinks(LocalQueue queue) {
    return new Queues(deadLetters, events, Optional.of(queue.createQueue(PlatformSettings.SINKS)));
  }
}
