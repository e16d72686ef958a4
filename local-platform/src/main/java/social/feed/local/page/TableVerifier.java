package social.feed.local.page;

import java.util.List;
import java.util.function.LongConsumer;

/** Compares all derived data of the table with their source, for the page. */
@FunctionalInterface
public interface TableVerifier {
  /**
   * The result of one check.
   *
   * @param check its name
   * @param compared the number of rows that it started from
   * @param drifts the number of problems
   * @param examples some of the problems
   */
  record CheckResult(String check, long compared, long drifts, List<String> examples) {}

  /**
   * Runs all checks, after the stream was drained.
   *
   * @param progress gets the number of rows read so far
   */
  List<CheckResult> verify(LongConsumer progress);
}
