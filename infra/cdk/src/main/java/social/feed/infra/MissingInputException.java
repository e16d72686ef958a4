package social.feed.infra;

/** Thrown when a required input is missing or wrong. The message states how to give it. */
final class MissingInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingInputException(String message) {
    super(message);
  }
}
