package social.feed.ctl.verify;

import java.util.List;
import java.util.Map;

/**
 * What a repair did.
 *
 * @param after what is wrong still
 * @param lines for each check
 */
public record RepairReport(Report after, List<Line> lines) {
  /**
   * What became of the problems of one check.
   *
   * @param check what was compared
   * @param repaired how many were put right
   * @param examples some of those
   * @param left how many are there still
   */
  public record Line(String check, long repaired, List<String> examples, long left) {
    /** How many there were. */
    public long found() {
      return repaired + left;
    }
  }

  public RepairReport {
    lines = List.copyOf(lines);
  }

  static RepairReport of(Report after, Map<String, DriftCount> repaired) {
    var lines =
        after.lines().stream()
            .map(
                line -> {
                  var done = repaired.getOrDefault(line.check(), new DriftCount());
                  return new Line(line.check(), done.count(), done.examples(), line.drifts());
                })
            .toList();
    return new RepairReport(after, lines);
  }

  /** How many problems were put right in all. */
  public long repaired() {
    return lines.stream().mapToLong(Line::repaired).sum();
  }

  /** The results as a table, and below it what was repaired and what is left. */
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
    after
        .lines()
        .forEach(
            line ->
                text.append(
                    Report.examples("left, " + line.check(), line.drifts(), line.examples())));
    return text.toString();
  }
}
