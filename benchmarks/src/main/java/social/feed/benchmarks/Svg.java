package social.feed.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws plots as SVG. */
final class Svg {
  private static final int WIDTH = 420;
  private static final int HEIGHT = 240;
  private static final int LEFT = 56;
  private static final int RIGHT = 12;
  private static final int TOP = 28;
  private static final int BOTTOM = 40;
  private static final int TICKS = 4;

  /** In each plot, so that it stands alone too. */
  static final String STYLE =
      """
      <style>\
      text{font:11px system-ui,sans-serif;fill:#1c2430}text.title{font-weight:600;font-size:13px}text.tick{fill:#5b6675}\
      .grid{stroke:#8a94a344}.axis{stroke:#8a94a3}.goal{stroke:#1c2430;stroke-width:2}path{fill:none;stroke-width:2}\
      .platform{stroke:#0b62d6}.bare{stroke:#8a94a3}.platform-tail{stroke:#0b62d6;stroke-dasharray:5 3}\
      .bare-tail{stroke:#8a94a3;stroke-dasharray:5 3}.reached{fill:#177245}.missed{fill:#c2410c}\
      @media(prefers-color-scheme:dark){text{fill:#e6e9ee}text.tick{fill:#a7b0bd}.goal{stroke:#e6e9ee}\
      .platform,.platform-tail{stroke:#6ea8ff}.reached{fill:#4cc38a}.missed{fill:#ff8a5c}}\
      </style>""";

  private Svg() {}

  record Point(double x, double y) {}

  /**
   * A line of a plot.
   *
   * @param style the class of the line
   */
  record Line(String style, List<Point> points) {}

  /** Returns a plot with both axes from zero. */
  static String lines(String title, String x, String y, List<Line> lines) {
    double right = max(lines, true);
    var svg = new StringBuilder(begin(title, x, y));
    for (int i = 0; i <= TICKS; i++) {
      double at = right * i / TICKS;
      svg.append(text("tick", "middle", placeX(at, right), HEIGHT - BOTTOM + 14, number(at)));
    }
    return svg.append(within(right, lines)).append("</svg>").toString();
  }

  /** Returns a plot of values by sizes, which grow by factors, from zero. */
  static String growth(String title, String x, String y, List<Point> points) {
    double first = Math.log10(points.getFirst().x());
    double right = Math.log10(points.getLast().x()) - first;
    var svg = new StringBuilder(begin(title, x, y));
    var placed = new ArrayList<Point>();
    for (var point : points) {
      double at = Math.log10(point.x()) - first;
      placed.add(new Point(at, point.y()));
      svg.append(
          text("tick", "middle", placeX(at, right), HEIGHT - BOTTOM + 14, number(point.x())));
    }
    return svg.append(within(right, List.of(new Line("platform", placed))))
        .append("</svg>")
        .toString();
  }

  /** Returns the lines with the axis of their values. */
  private static StringBuilder within(double right, List<Line> lines) {
    double top = 1.05 * max(lines, false);
    var svg = new StringBuilder();
    for (int i = 0; i <= TICKS; i++) {
      double atY = top * i / TICKS;
      svg.append(text("tick", "end", LEFT - 6, placeY(atY, top) + 4, number(atY)));
      svg.append(
          "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
              .formatted(LEFT, WIDTH - RIGHT, placeY(atY, top), placeY(atY, top)));
    }
    for (var line : lines) {
      var path = new StringBuilder();
      for (var point : line.points()) {
        path.append(
            "%s%.1f %.1f"
                .formatted(
                    path.isEmpty() ? "M" : "L", placeX(point.x(), right), placeY(point.y(), top)));
      }
      svg.append("<path class=\"%s\" d=\"%s\"/>".formatted(line.style(), path));
    }
    return svg;
  }

  /**
   * A row of a plot of ratios.
   *
   * @param goal the ratio that is wanted
   * @param isMost whether the goal is an upper limit
   */
  record Ratio(String title, double value, double goal, boolean isMost) {
    boolean isReached() {
      return isMost ? value <= goal : value >= goal;
    }
  }

  /** Returns one dot for each ratio, with a mark at its goal and a line at 1. */
  static String ratios(String title, List<Ratio> ratios) {
    int rows = ratios.size();
    int height = TOP + BOTTOM + 22 * rows;
    int left = 130;
    double most =
        Math.max(
            2, ratios.stream().mapToDouble(r -> Math.max(r.value(), r.goal())).max().orElse(2));
    var svg = new StringBuilder(opened(height, title));
    for (int i = 0; i <= 4; i++) {
      double at = most * i / 4;
      double x = left + at / most * (WIDTH - left - RIGHT);
      svg.append(text("tick", "middle", x, height - BOTTOM + 16, number(at)));
    }
    double one = left + 1 / most * (WIDTH - left - RIGHT);
    svg.append(
        "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
            .formatted(one, one, TOP, height - BOTTOM));
    for (int i = 0; i < rows; i++) {
      var ratio = ratios.get(i);
      double y = TOP + 22 * i + 12;
      double x = left + ratio.value() / most * (WIDTH - left - RIGHT);
      double goal = left + ratio.goal() / most * (WIDTH - left - RIGHT);
      svg.append(text("label", "end", left - 8, y + 4, ratio.title()));
      svg.append(
          "<line class=\"goal\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
              .formatted(goal, goal, y - 9, y + 9));
      svg.append(
          "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%.2f</title></circle>"
              .formatted(ratio.isReached() ? "reached" : "missed", x, y, ratio.value()));
    }
    return svg.append("</svg>").toString();
  }

  /**
   * A value with the error of its measurement.
   *
   * @param error what the true value differs by at most
   */
  record Measured(String title, double value, double error) {}

  /** Returns one dot for each value, with a line from its least to its greatest true value. */
  static String values(String title, List<Measured> values) {
    int height = TOP + BOTTOM + 22 * values.size();
    int left = 130;
    double most = values.stream().mapToDouble(it -> it.value() + it.error()).max().orElse(1);
    double scale = (WIDTH - left - RIGHT) / most;
    var svg = new StringBuilder(opened(height, title));
    for (int i = 0; i <= TICKS; i++) {
      double at = most * i / TICKS;
      svg.append(text("tick", "middle", left + at * scale, height - BOTTOM + 16, number(at)));
    }
    for (int i = 0; i < values.size(); i++) {
      var measured = values.get(i);
      double y = TOP + 22 * i + 12;
      svg.append(text("label", "end", left - 8, y + 4, measured.title()))
          .append(
              "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                  .formatted(
                      left + Math.max(0, measured.value() - measured.error()) * scale,
                      left + (measured.value() + measured.error()) * scale,
                      y,
                      y))
          .append(
              "<circle class=\"reached\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%s</title></circle>"
                  .formatted(left + measured.value() * scale, y, number(measured.value())));
    }
    return svg.append("</svg>").toString();
  }

  private static String begin(String title, String x, String y) {
    return opened(HEIGHT, title)
        + text("label", "middle", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, x)
        + text("label", "end", WIDTH - RIGHT, 16, y);
  }

  private static String opened(int height, String title) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s\">"
            .formatted(WIDTH, height, WIDTH, title)
        + STYLE
        + text("title", "start", 4, 16, title);
  }

  static String text(String style, String anchor, double x, double y, String text) {
    return String.format(
        Locale.ROOT,
        "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
        style,
        anchor,
        x,
        y,
        text);
  }

  private static double placeX(double value, double most) {
    return LEFT + value / most * (WIDTH - LEFT - RIGHT);
  }

  private static double placeY(double value, double most) {
    return HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM);
  }

  private static double max(List<Line> lines, boolean isX) {
    return lines.stream()
        .flatMap(line -> line.points().stream())
        .mapToDouble(point -> isX ? point.x() : point.y())
        .max()
        .orElse(1);
  }

  private static String number(double value) {
    return value >= 100 || value == Math.rint(value)
        ? "%,.0f".formatted(value)
        : String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }
}
