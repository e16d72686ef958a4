package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import social.feed.table.row.Key;

/** Where a check saw something wrong during the walk. Not drift yet: the stream may be behind. */
final class DriftCandidates {
  /** Rows that are looked at again; more than that are drift in any case. */
  private static final int REMEMBERED = 500_000;

  private final Set<Key> rows = new LinkedHashSet<>();
  private long compared;
  private long beyond;

  void compared(long more) {
    compared += more;
  }

  void add(Drift drift) {
    if (rows.contains(drift.row())) {
      return;
    }
    if (rows.size() < REMEMBERED) {
      rows.add(drift.row());
    } else {
      beyond++;
    }
  }

  /** How many rows the check started from. */
  long compared() {
    return compared;
  }

  /** How many more there are than those that are looked at again. */
  long beyond() {
    return beyond;
  }

  /** How many rows are looked at again. */
  int size() {
    return rows.size();
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The rows in parts that fit into memory with what is around them. */
  List<List<Key>> parts(int size) {
    var parts = new ArrayList<List<Key>>();
    var all = List.copyOf(rows);
    for (int from = 0; from < all.size(); from += size) {
      parts.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return parts;
  }
}
