package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.List;

/** How many drifts there are, and some of them. */
final class Tally {
  /** How many problems are named for each check. */
  private static final int EXAMPLES = 10;

  private final List<String> examples = new ArrayList<>();
  private long count;

  void add(Drift drift) {
    count++;
    if (examples.size() < EXAMPLES) {
      examples.add(drift.problem());
    }
  }

  long count() {
    return count;
  }

  List<String> examples() {
    return List.copyOf(examples);
  }
}
