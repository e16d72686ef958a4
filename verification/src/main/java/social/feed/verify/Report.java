package social.feed.verify;

import java.util.List;
import java.util.stream.Stream;

/**
 * The results of a verification.
 *
 * @param lines the result of each check; the first check starts from every item of the table
 */
public record Report(List<Line> lines) {
  /**
   * The result of one check.
   *
   * @param check the name of the check
   * @param compared the number of rows that it started from
   * @param drifts the number of problems
   * @param examples some of the problems
   */
  public record Line(String check, long compared, long drifts, List<String> examples) {}

  public Report {
    lines = List.copyOf(lines);
  }

  public boolean isClean() {
    return drifts() == 0;
  }

  /** Returns the results of both. */
  public Report and(Report more) {
    return new Report(Stream.concat(lines.stream(), more.lines.stream()).toList());
  }

  /** Returns the number of items in the table. */
  public long rows() {
    return lines.isEmpty() ? 0 : lines.getFirst().compared;
  }

  /** Returns the number of all problems. */
  public long drifts() {
    return lines.stream().mapToLong(Line::drifts).sum();
  }

  /** Returns the results as a table, and below it examples of the problems. */
  public String render() {
    var text = new StringBuilder();
    text.append("%-26s %12s %8s%n".formatted("check", "compared", "drift"));
    lines.forEach(
        line ->
            text.append("%-26s %,12d %,8d%n".formatted(line.check, line.compared, line.drifts)));
    lines.forEach(line -> text.append(examples(line.check, line.drifts, line.examples)));
    return text.toString();
  }

  /** Returns examples under a title, or nothing if the count is 0. */
  static String examples(String title, long count, List<String> examples) {
    if (count == 0) {
      return "";
    }
    var text = new StringBuilder("%n%s:%n".formatted(title));
    examples.forEach(example -> text.append("  ").append(example).append(System.lineSeparator()));
    if (count > examples.size()) {
      text.append("  and %,d more%n".formatted(count - examples.size()));
    }
    return text.toString();
  }
}
