package social.feed.ctl.verify;

import java.util.List;

/**
 * What a verification found.
 *
 * @param lines for each check, the first of which starts from every item of the table
 */
public record Report(List<Line> lines) {
  /**
   * The result of one check.
   *
   * @param check what was compared
   * @param compared how many rows it started from
   * @param drifts how many problems there are
   * @param examples some of them
   */
  public record Line(String check, long compared, long drifts, List<String> examples) {}

  public Report {
    lines = List.copyOf(lines);
  }

  public boolean isClean() {
    return drifts() == 0;
  }

  /** How many items the table has. */
  public long rows() {
    return lines.isEmpty() ? 0 : lines.getFirst().compared;
  }

  /** How many problems there are in all. */
  public long drifts() {
    return lines.stream().mapToLong(Line::drifts).sum();
  }

  /** The results as a table, and below it what is wrong. */
  public String render() {
    var text = new StringBuilder();
    text.append("%-26s %12s %8s%n".formatted("check", "compared", "drift"));
    lines.forEach(
        line ->
            text.append("%-26s %,12d %,8d%n".formatted(line.check, line.compared, line.drifts)));
    lines.forEach(line -> text.append(examples(line.check, line.drifts, line.examples)));
    return text.toString();
  }

  /** Some of what there is to say about a check, or nothing. */
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
