package social.feed.ctl.verify;

import java.util.List;

/** What a verification found. */
public record Report(List<Line> lines) {
  /** How many problems are named for each check. */
  static final int EXAMPLES = 10;

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
    return lines.stream().allMatch(line -> line.drifts == 0);
  }

  /** The results as a table, and below it what is wrong. */
  public String render() {
    var text = new StringBuilder();
    text.append("%-26s %12s %8s%n".formatted("check", "compared", "drift"));
    lines.forEach(
        line ->
            text.append("%-26s %,12d %,8d%n".formatted(line.check, line.compared, line.drifts)));
    lines.stream().filter(line -> line.drifts > 0).forEach(line -> text.append(examples(line)));
    return text.toString();
  }

  private static String examples(Line line) {
    var text = new StringBuilder("%n%s:%n".formatted(line.check));
    line.examples.forEach(
        example -> text.append("  ").append(example).append(System.lineSeparator()));
    if (line.drifts > line.examples.size()) {
      text.append("  and %,d more%n".formatted(line.drifts - line.examples.size()));
    }
    return text.toString();
  }
}
