package social.feed.api.edge.pipe;

/** Why a connection is closed; the server's log has it. */
final class SlowClientException extends Exception {
  private static final long serialVersionUID = 1L;

  SlowClientException() {
    super("The client does not read", null, false, false);
  }
}
