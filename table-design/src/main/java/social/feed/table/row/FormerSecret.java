package social.feed.table.row;

import java.time.Instant;

/**
 * A secret of a webhook that was replaced.
 *
 * @param secret signs calls until the time
 * @param until when it ends
 */
public record FormerSecret(String secret, Instant until) {
  /** Omits the secret, since the text may be logged. */
  @Override
  public String toString() {
    return "FormerSecret[until " + until + "]";
  }
}
