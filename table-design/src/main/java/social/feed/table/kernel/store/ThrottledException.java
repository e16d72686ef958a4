package social.feed.table.kernel.store;

/** The table did not take or give everything within the retries; trying again later helps. */
public final class ThrottledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ThrottledException(String what, int left, int attempts) {
    super(what + ": " + left + " items unprocessed after " + attempts + " attempts");
  }

  ThrottledException(String what, int attempts, InterruptedException cause) {
    super(what + " after " + attempts + " attempts", cause);
  }
}
