package social.feed.local;

import java.net.URI;
import social.feed.engine.LocalQueue;

/**
 * The URLs of the platform's queues.
 *
 * @param deadLetters queue for records that can never be applied
 * @param events queue for the events that other systems receive
 */
record Queues(URI deadLetters, URI events) {
  static Queues in(LocalQueue queue) {
    return new Queues(
        queue.createQueue(PlatformSettings.DEAD_LETTERS),
        queue.createQueue(PlatformSettings.EVENTS));
  }
}
