package social.feed.benchmarks;

import java.util.List;
import java.util.Locale;
import social.feed.benchmarks.ResultText.Figure;

/**
 * Draws all goals with their figures as one picture. A figure is at the place of how many times its
 * goal it is, on a scale of factors, so that all goals are on one line.
 */
final class GoalsPicture {
  private static final int WIDTH = 900;
  private static final int LEFT = 400;
  private static final int RIGHT = 790;
  private static final int TOP = 66;
  private static final int ROW = 24;
  private static final int BOTTOM = 34;

  /** As a power of two: what is better is drawn there. */
  private static final int BEST = -2;

  private static final String TITLE = "Goals and figures";

  private static final String SCALE =
      "Figure ÷ goal where it says at most, goal ÷ figure where it says at least. A circle reaches its goal, a square misses it.";

  /** The power of two of the right end. */
  private final int worst;

  private GoalsPicture(int worst) {
    this.worst = worst;
  }

  /**
   * A goal with its figures.
   *
   * @param figures none if it was not measured
   */
  record Row(Goal goal, List<Figure> figures) {}

  /** Returns the picture, with the goals from top to bottom. */
  static String of(List<Row> rows) {
    double most =
        rows.stream()
            .flatMap(row -> row.figures().stream().map(row.goal()::timesOfGoal))
            .mapToDouble(Double::doubleValue)
            .filter(Double::isFinite)
            .max()
            .orElse(1);
    return new GoalsPicture(Math.max(2, (int) Math.ceil(log(most)))).drawn(rows);
  }

  private String drawn(List<Row> rows) {
    int height = TOP + ROW * rows.size() + BOTTOM;
    var svg =
        new StringBuilder(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" role=\"img\" aria-label=\"%s\">"
                .formatted(WIDTH, height, WIDTH, TITLE));
    svg.append(Svg.STYLE);
    svg.append(Svg.text("title", "start", 4, 16, TITLE));
    svg.append(Svg.text("tick", "start", 4, 34, SCALE));
    for (int power = BEST; power <= worst; power++) {
      double x = place(Math.scalb(1.0, power));
      svg.append(line(power == 0 ? "goal" : "grid", x, TOP, height - BOTTOM));
      svg.append(Svg.text("tick", "middle", x, height - BOTTOM + 16, tick(power)));
    }
    double goal = place(1);
    svg.append(Svg.text("label", "end", goal - 10, TOP - 8, "reached"));
    svg.append(Svg.text("label", "start", goal + 10, TOP - 8, "missed"));
    for (int i = 0; i < rows.size(); i++) {
      svg.append(drawn(rows.get(i), TOP + ROW * i + ROW / 2.0));
    }
    return svg.append("</svg>").toString();
  }

  private String drawn(Row row, double y) {
    var goal = row.goal();
    var title = goal.title().replace("`", "") + ", " + goal.wanted();
    var svg = new StringBuilder(Svg.text("label", "end", LEFT - 14, y + 4, title));
    for (var figure : row.figures()) {
      double x = place(goal.timesOfGoal(figure));
      svg.append(goal.isReached(figure) ? circle(x, y) : square(x, y));
      svg.append("<title>%s</title></path>".formatted(hint(goal, figure)));
    }
    var measured = row.figures().isEmpty() ? "not measured" : goal.range(row.figures());
    return svg.append(Svg.text("label", "start", RIGHT + 14, y + 4, measured)).toString();
  }

  private static String hint(Goal goal, Figure figure) {
    var value = goal.value(figure.value());
    return BenchmarkReport.escaped(
        figure.label().isEmpty() ? value : figure.label() + ": " + value);
  }

  /** Forms differ, so that the picture does not depend on its colors. */
  private static String circle(double x, double y) {
    return "<path class=\"reached\" style=\"fill-opacity:.75\" d=\"M%s %sa5 5 0 1 0 10 0a5 5 0 1 0 -10 0z\">"
        .formatted(number(x - 5), number(y));
  }

  private static String square(double x, double y) {
    return "<path class=\"missed\" style=\"fill-opacity:.75\" d=\"M%s %sh9v9h-9z\">"
        .formatted(number(x - 4.5), number(y - 4.5));
  }

  private static String line(String style, double x, double from, double to) {
    return "<line class=\"%s\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>"
        .formatted(style, number(x), number(x), number(from), number(to));
  }

  private static String tick(int power) {
    var times = power < 0 ? "1/" + (1 << -power) : "" + (1 << power);
    return switch (power) {
      case BEST -> times + " or less";
      case 0 -> "the goal";
      default -> times;
    };
  }

  private double place(double times) {
    double power = Math.clamp(log(times), BEST, worst);
    return LEFT + (power - BEST) / (worst - BEST) * (RIGHT - LEFT);
  }

  private static double log(double times) {
    return Math.log(times) / Math.log(2);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
