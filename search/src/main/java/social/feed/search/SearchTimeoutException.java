package social.feed.search;

import java.io.IOException;
import java.time.Duration;

/** A search took too long, and was ended. It has no result, not even a part of one. */
public final class SearchTimeoutException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param limit the time that it had
   */
  public SearchTimeoutException(Duration limit) {
    super("The search took more than %d ms".formatted(limit.toMillis()));
  }
}
