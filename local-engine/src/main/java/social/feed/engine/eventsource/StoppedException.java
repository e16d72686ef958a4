package social.feed.engine.eventsource;

/**
 * Unwinds the thread of a shard when its event source stops. Records in progress are delivered
 * again.
 */
final class StoppedException extends RuntimeException {

  StoppedException() {
    super("The event source stops", null, false, false);
  }
}
