package social.feed.streams.deadletter;

/** Stores dead letters. */
@FunctionalInterface
public interface DeadLetters {
  /**
   * Stores a dead letter; returns when it is durable.
   *
   * @throws RuntimeException when it could not be stored; the record then comes again
   */
  void send(DeadLetter deadLetter);
}
