package social.feed.ctl.graph;

import java.time.Duration;
import java.time.Instant;

/**
 * The times that a graph without times gets: all from one start, so that a second run of the same
 * file finds what the first one wrote. Accounts come first, then the edges in the order of the
 * file, then the posts.
 *
 * @param start when the accounts were made
 */
record ImportedTimes(Instant start) {
  private static final Duration BEFORE = Duration.ofDays(1);
  private static final Duration POSTS = Duration.ofHours(20);
  private static final long EDGE_MILLIS = POSTS.toMillis() - 1;
  private static final long POST_MILLIS = Duration.ofHours(3).toMillis() / GraphImport.MAX_POSTS;

  /** Times of a first import: everything lies in the past when it is over. */
  static ImportedTimes endingBefore(Instant now) {
    return new ImportedTimes(now.minus(BEFORE));
  }

  /**
   * Times of a further import.
   *
   * @param found the oldest of the accounts that are there; one that registered just now is no
   *     start
   */
  static ImportedTimes startingAt(Instant found, Instant now) {
    var first = endingBefore(now);
    return found.isBefore(first.start) ? new ImportedTimes(found) : first;
  }

  /** The time of an edge by its place in the file. */
  Instant edge(long place) {
    return start.plusMillis(1 + place % EDGE_MILLIS);
  }

  /**
   * The time of an account's post, by its number alone, so that a further run can add to them; a
   * little apart for each account.
   *
   * @param number below {@link GraphImport#MAX_POSTS}
   */
  Instant post(String account, int number) {
    long apart = Math.floorMod(account.hashCode(), POST_MILLIS);
    return start.plus(POSTS).plusMillis(POST_MILLIS * number + apart);
  }
}
