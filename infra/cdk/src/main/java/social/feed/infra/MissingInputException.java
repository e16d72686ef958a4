package social.feed.infra;

/** What the caller has to give is missing or wrong; the message says how to give it. */
final class MissingInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingInputException(String message) {
    super(message);
  }
}
