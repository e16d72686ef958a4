package social.feed.api.edge.pipe;

/** Closes the connection of a client that does not read. The server logs it. */
final class SlowClientException extends Exception {
  private static final long serialVersionUID = 1L;

  SlowClientException() {
    super("The client does not read", null, false, false);
  }
}
