package social.feed.ctl.graph;

import java.time.Duration;
import java.time.Instant;

/**
 * The times of the rows of a graph without times. Accounts come first, then the edges in the order
 * of the file, all counted from one start. The posts of an account are counted from its own time,
 * so that a second run finds those of the first, also with another file.
 *
 * @param start the time of the accounts
 */
record ImportedTimes(Instant start) {
  private static final Duration BEFORE = Duration.ofDays(1);
  private static final Duration POSTS = Duration.ofHours(20);
  private static final long EDGE_MILLIS = POSTS.toMillis() - 1;

  /**
   * How long after the start the last possible post is. It is an hour less than the least age of
   * the accounts that an import creates, for clocks that differ.
   */
  static final Duration LAST_POST = Duration.ofHours(23);

  private static final long POST_MILLIS = LAST_POST.minus(POSTS).toMillis() / GraphImport.MAX_POSTS;

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
   * @param start the time of the account
   * @param number below {@link GraphImport#MAX_POSTS}
   */
  static Instant post(Instant start, String account, int number) {
    long apart = Math.floorMod(account.hashCode(), POST_MILLIS);
    return start.plus(POSTS).plusMillis(POST_MILLIS * number + apart);
  }
}
