package social.feed.ctl.graph;

import java.time.Duration;
import java.time.Instant;

/**
 * The times of the rows of a graph without times. All are derived from one start, so that a second
 * run of the same file finds the rows of the first. Accounts come first, then the edges in the
 * order of the file, then the posts.
 *
 * @param start the time of the accounts
 */
record ImportedTimes(Instant start) {
  private static final Duration BEFORE = Duration.ofDays(1);
  private static final Duration POSTS = Duration.ofHours(20);
  private static final long EDGE_MILLIS = POSTS.toMillis() - 1;
  private static final long POST_MILLIS = Duration.ofHours(3).toMillis() / GraphImport.MAX_POSTS;

  /** Returns the times of a first import: all are in the past when it ends. */
  static ImportedTimes endingBefore(Instant now) {
    return new ImportedTimes(now.minus(BEFORE));
  }

  /**
   * Returns the times of a later import.
   *
   * @param found the time of the oldest existing account; one that registered just now is no start
   */
  static ImportedTimes startingAt(Instant found, Instant now) {
    var first = endingBefore(now);
    return found.isBefore(first.start) ? new ImportedTimes(found) : first;
  }

  /** Returns the time of an edge by its line in the file. */
  Instant edge(long line) {
    return start.plusMillis(1 + line % EDGE_MILLIS);
  }

  /**
   * Returns the time of an account's post. It depends on the number alone, so that a later run can
   * add posts. The times of accounts differ by some milliseconds.
   *
   * @param number below {@link GraphImport#MAX_POSTS}
   */
  Instant post(String account, int number) {
    long apart = Math.floorMod(account.hashCode(), POST_MILLIS);
    return start.plus(POSTS).plusMillis(POST_MILLIS * number + apart);
  }
}
