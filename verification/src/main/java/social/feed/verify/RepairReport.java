package social.feed.verify;

import java.util.List;
import java.util.Map;

/**
 * The results of a repair run.
 *
 * @param after the drift that is left
 * @param lines the result of each check
 */
public record RepairReport(Report after, List<Line> lines) {
  /**
   * The result of one check.
   *
   * @param check the name of the check
   * @param repaired the number of repaired problems
   * @param examples some of the repaired problems
   * @param left the number of problems that are left
   * @param unsettled the number of those that were not repaired because a lane of the multiplexer
   *     was behind
   * @param waiting some of the unsettled problems
   */
  public record Line(
      String check,
      long repaired,
      List<String> examples,
      long left,
      long unsettled,
      List<String> waiting) {
    /** Returns the number of problems that were found. */
    public long found() {
      return repaired + left;
    }
  }

  public RepairReport {
    lines = List.copyOf(lines);
  }

  static RepairReport of(
      Report after, Map<String, DriftCount> repaired, Map<String, DriftCount> unsettled) {
    var lines =
        after.lines().stream()
            .map(
                line -> {
                  var done = repaired.getOrDefault(line.check(), new DriftCount());
                  var behind = unsettled.getOrDefault(line.check(), new DriftCount());
                  return new Line(
                      line.check(),
                      done.count(),
                      done.examples(),
                      line.drifts(),
                      Math.min(line.drifts(), behind.count()),
                      behind.examples());
                })
            .toList();
    return new RepairReport(after, lines);
  }

  /** Returns the number of all repaired problems. */
  public long repaired() {
    return lines.stream().mapToLong(Line::repaired).sum();
  }

  /** Returns the number of all problems that were not repaired because a lane was behind. */
  public long unsettled() {
    return lines.stream().mapToLong(Line::unsettled).sum();
  }

  /** Returns the results as a table, and below it examples of repaired and remaining problems. */
  public String render() {
    var text = new StringBuilder();
    text.append("%-26s %8s %8s %8s%n".formatted("check", "found", "repaired", "left"));
    lines.forEach(
        line ->
            text.append(
                "%-26s %,8d %,8d %,8d%n"
                    .formatted(line.check, line.found(), line.repaired, line.left)));
    lines.forEach(
        line ->
            text.append(Report.examples("repaired, " + line.check, line.repaired, line.examples)));
    lines.forEach(
        line ->
            text.append(
                Report.examples(
                    "not settled, not repaired, " + line.check, line.unsettled, line.waiting)));
    after
        .lines()
        .forEach(
            line ->
                text.append(
                    Report.examples("left, " + line.check(), line.drifts(), line.examples())));
    return text.toString();
  }
}
