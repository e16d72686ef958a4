package social.feed.streams.sink;

/** Stores what could not be published in time. */
@FunctionalInterface
public interface SinkDeadLetters {
  /**
   * Stores a message; returns when it is durable.
   *
   * @param reason the last failure, in words
   * @throws RuntimeException when it could not be stored; the message then comes again
   */
  void send(SinkMessage message, String reason);
}
