package social.feed.testkit.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The result of a history.
 *
 * @param violations the differences between the table and the model, and what verify reports; empty
 *     for a correct function
 * @param happened the number of faults and disturbances by name
 * @param story the log of the history, line by line, with the calls of an invocation indented below
 *     it
 */
public record HistoryResult(
    long seed,
    List<String> violations,
    Map<String, Integer> happened,
    Supplier<List<String>> story) {
  /** The beginning of a violation that verify reports. */
  public static final String VERIFY = "verify: ";

  public HistoryResult {
    violations = List.copyOf(violations);
    happened = Map.copyOf(happened);
  }

  public boolean matchesModel() {
    return violations.isEmpty();
  }

  /**
   * Writes the log to a file below {@code target}. Run alone, the history may differ: it shares its
   * table.
   */
  public Path writeStory() {
    try {
      var file = Path.of("target", "history-%d.txt".formatted(seed)).toAbsolutePath();
      return Files.write(file, story.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
