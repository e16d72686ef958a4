package social.feed.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import social.feed.table.row.Key;

/**
 * The rows where a check found a difference during the walk. They are not drift yet, because the
 * stream may be behind. Threads may share it: one that ends the run reads it.
 */
final class DriftCandidates {
  /** The most rows that are checked again; every further row counts as drift. */
  private static final int REMEMBERED = 500_000;

  private static final int EXAMPLES = 10;

  private final Set<Key> rows = new LinkedHashSet<>();
  private long compared;
  private long beyond;

  synchronized void compared(long more) {
    compared += more;
  }

  synchronized void add(Drift drift) {
    if (rows.contains(drift.row())) {
      return;
    }
    if (rows.size() < REMEMBERED) {
      rows.add(drift.row());
    } else {
      beyond++;
    }
  }

  /** Forgets the rows where the check found no drift when it looked again. */
  synchronized void keep(Set<Key> drifting) {
    rows.retainAll(drifting);
  }

  /** Forgets a row that was repaired. Repairs run concurrently. */
  synchronized void repaired(Key row) {
    rows.remove(row);
  }

  /** Returns these and those that an earlier walk has left. */
  DriftCandidates with(DriftCandidates earlier) {
    var both = earlier.copy();
    synchronized (this) {
      both.compared = compared;
      both.beyond = Math.max(beyond, both.beyond);
      both.rows.addAll(rows);
    }
    return both;
  }

  private synchronized DriftCandidates copy() {
    var copy = new DriftCandidates();
    copy.compared = compared;
    copy.beyond = beyond;
    copy.rows.addAll(rows);
    return copy;
  }

  /** Returns the candidates as if all were drift. */
  synchronized Report.Line line(String check) {
    return new Report.Line(
        check,
        compared,
        rows.size() + beyond,
        rows.stream().limit(EXAMPLES).map(key -> key + " differs").toList());
  }

  /** Returns the number of rows that the check started from. */
  synchronized long compared() {
    return compared;
  }

  /** Returns the number of rows beyond those that are checked again. */
  synchronized long beyond() {
    return beyond;
  }

  /** Returns the number of rows that are checked again. */
  synchronized int size() {
    return rows.size();
  }

  synchronized boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Returns the rows in groups that fit into memory with their related rows. */
  synchronized List<List<Key>> parts(int size) {
    var parts = new ArrayList<List<Key>>();
    var all = List.copyOf(rows);
    for (int from = 0; from < all.size(); from += size) {
      parts.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return parts;
  }
}
