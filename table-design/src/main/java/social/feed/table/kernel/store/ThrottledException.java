package social.feed.table.kernel.store;

/** The table did not serve everything within the attempts; a later retry can succeed. */
public final class ThrottledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param what the operation
   * @param left how many of its items are not served
   */
  public ThrottledException(String what, int left, int attempts) {
    super(what + ": " + left + " items unprocessed after " + attempts + " attempts; retry later");
  }

  ThrottledException(String what, int attempts, InterruptedException cause) {
    super(what + " after " + attempts + " attempts", cause);
  }
}
