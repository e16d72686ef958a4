package social.feed.testkit.simulation;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What came of a history.
 *
 * @param violations where the table differs from the model; none when all is well
 * @param happened how often what went wrong
 * @param story all that was done, line by line, the calls of an invocation within it; for reading
 */
public record HistoryResult(
    long seed,
    List<String> violations,
    Map<String, Integer> happened,
    Supplier<List<String>> story) {
  public HistoryResult {
    violations = List.copyOf(violations);
    happened = Map.copyOf(happened);
  }

  public boolean isExact() {
    return violations.isEmpty();
  }
}
