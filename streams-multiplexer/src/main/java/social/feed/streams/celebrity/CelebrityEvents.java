package social.feed.streams.celebrity;

/** Where crossings are published. */
@FunctionalInterface
public interface CelebrityEvents {
  /**
   * Publishes a crossing. Called once a crossing, again only when it failed or its answer was lost.
   *
   * @throws RuntimeException when it could not be published; the record then comes again
   */
  void publish(CelebrityFlagChanged event);
}
