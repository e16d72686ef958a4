package social.feed.engine.eventsource;

/** Unwinds a shard's thread when its event source stops. What it was at is delivered again. */
final class StoppedException extends RuntimeException {

  StoppedException() {
    super("The event source stops", null, false, false);
  }
}
