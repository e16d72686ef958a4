package social.feed.streams.sink;

/**
 * The other system answered that it does not take one event. That says nothing about other events,
 * so the sink does not rest. The event comes again, for an hour.
 */
public final class RefusedEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RefusedEventException(String message) {
    super(message);
  }
}
