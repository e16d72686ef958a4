package social.feed.streams.deadletter;

/** Where dead letters go. */
@FunctionalInterface
public interface DeadLetters {
  /**
   * Keeps a letter; returns when it is safe.
   *
   * @throws RuntimeException when it could not be kept; the record then comes again
   */
  void send(DeadLetter letter);
}
