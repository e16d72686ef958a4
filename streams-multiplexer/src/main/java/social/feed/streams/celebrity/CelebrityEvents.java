package social.feed.streams.celebrity;

/** Publishes changes of the celebrity flag. */
@FunctionalInterface
public interface CelebrityEvents {
  /**
   * Publishes a change of the flag. Called once for each change, and again only when the call
   * failed or its response was lost.
   *
   * @throws RuntimeException when it could not be published; the record then comes again
   */
  void publish(CelebrityFlagChanged event);
}
