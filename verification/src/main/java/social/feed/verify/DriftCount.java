package social.feed.verify;

import java.util.ArrayList;
import java.util.List;

/** The number of drifts of a check, and the first of them as examples. */
final class DriftCount {
  /** How many problems are named for each check. */
  private static final int EXAMPLES = 10;

  private final List<String> examples = new ArrayList<>();
  private long count;

  /** Counts one more. */
  synchronized void add(Drift drift) {
    count++;
    if (examples.size() < EXAMPLES) {
      examples.add(drift.problem());
    }
  }

  synchronized long count() {
    return count;
  }

  synchronized List<String> examples() {
    return List.copyOf(examples);
  }
}
