package social.feed.ctl.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Renders the report of a load as one HTML page, with plots as inline SVG and no script. */
final class LoadPage {
  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Load report</title>
      <style>
      :root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #d9d9e0; --back: #fff; --a: #0b68cb; --b: #c2410c; --c: #8e4ec6; --bad: #c62828; }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #edeef0; --soft: #b0b4ba; --line: #43484e; --back: #111113; --a: #70b8ff; --b: #ffa366; --c: #d19dff; --bad: #ff9592; }
      }
      body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); margin: 0 auto; max-width: 72rem; padding: 1.5rem; }
      h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
      p { color: var(--soft); margin: .3rem 0; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { text-align: right; padding: .2rem .7rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
      th:first-child, td:first-child, .text { text-align: left; }
      .bad { color: var(--bad); font-weight: 600; }
      svg { width: 100%; height: auto; display: block; }
      svg text { fill: var(--soft); font-size: 12px; font-family: inherit; }
      .grid { stroke: var(--line); stroke-width: 1; }
      .a { stroke: var(--a); } .b { stroke: var(--b); } .c { stroke: var(--c); } .bar { stroke: var(--bad); stroke-width: 4; }
      .curve { fill: none; stroke-width: 2; } .range { stroke-width: 8; } .dot { fill: var(--ink); stroke: none; }
      .legend .a { color: var(--a); } .legend .b { color: var(--b); } .legend .c { color: var(--c); } .legend .e { color: var(--bad); }
      </style>
      </head>
      <body>
      """;

  private static final int WIDTH = 960;
  private static final int HEIGHT = 260;
  private static final int LEFT = 60;
  private static final int BOTTOM = 30;
  private static final int TOP = 10;
  private static final int LABEL = 110;
  private static final int ROW = 22;

  /** About as many ticks a linear axis has. */
  private static final int TICKS = 6;

  /** Zero has no place on a logarithmic axis. */
  private static final double LEAST = 0.01;

  private final JsonNode report;
  private final StringBuilder page = new StringBuilder(HEAD);

  LoadPage(JsonNode report) {
    this.report = report;
  }

  /** A point of a curve. */
  private record Point(double x, double y) {}

  String render() {
    head();
    overTime();
    byAction();
    distribution();
    actions();
    codes();
    units();
    lags();
    return page.append("</body>\n</html>\n").toString();
  }

  private void head() {
    var requests = report.path("requests");
    add("<h1>Load report</h1>\n");
    paragraph(
        "%s; %s: %s accounts, %s follows, %s posts of each; seed %s"
            .formatted(
                text(report, "target"),
                text(report, "graph"),
                text(report, "accounts"),
                text(report, "follows"),
                text(report, "posts_of_each"),
                text(report, "seed")));
    paragraph(
        "Open schedule of %s requests a second for %s s%s. Latency counts from the intended time of"
                .formatted(
                    text(report, "rate"),
                    text(report, "duration_s"),
                    report.path("stopped").asBoolean() ? ", stopped before its end" : "")
            + " a request, service time from the time at which it was sent. All times are in"
            + " milliseconds.");
    table(
        List.of("scheduled", "sent", "answered", "not sent", "late", "elapsed s", "sent a second"),
        List.of(
            List.of(
                text(requests, "scheduled"),
                text(requests, "sent"),
                text(requests, "answered"),
                text(requests, "unsent"),
                text(requests, "late"),
                text(requests, "elapsed_s"),
                text(requests, "sent_per_second"))));
    var rows = new ArrayList<List<String>>();
    for (var what : List.of("latency", "service_time", "delay")) {
      var row = new ArrayList<>(List.of(what.replace('_', ' ')));
      row.addAll(times(report.path(what)));
      rows.add(row);
    }
    table(List.of("", "p50", "p90", "p99", "p99.9", "max"), rows);
  }

  private static List<String> times(JsonNode times) {
    return List.of(
        text(times, "p50"),
        text(times, "p90"),
        text(times, "p99"),
        text(times, "p99_9"),
        text(times, "max"));
  }

  private void overTime() {
    heading("Latency over time");
    legend("p50", "p99", "max", "");
    var p50 = new ArrayList<Point>();
    var p99 = new ArrayList<Point>();
    var max = new ArrayList<Point>();
    var sent = new ArrayList<Point>();
    var errors = new ArrayList<Point>();
    for (var slice : report.path("over_time")) {
      double x = slice.path("from_s").asDouble();
      if (slice.path("requests").asLong() > 0) {
        p50.add(new Point(x, slice.path("p50").asDouble()));
        p99.add(new Point(x, slice.path("p99").asDouble()));
        max.add(new Point(x, slice.path("max").asDouble()));
      }
      sent.add(new Point(x, slice.path("requests").asDouble()));
      errors.add(new Point(x, slice.path("errors").asDouble()));
    }
    plot("Latency in milliseconds over the seconds of the run", List.of(p50, p99, max), true);
    heading("Requests and errors over time");
    legend("requests", "", "", "errors");
    plot("Requests and errors over the seconds of the run", List.of(sent), false, errors);
  }

  private void distribution() {
    heading("Distribution of all requests");
    legend("latency", "service time", "", "");
    var latency = new ArrayList<Point>();
    var service = new ArrayList<Point>();
    int x = 0;
    var labels = new ArrayList<String>();
    for (var point : report.path("distribution")) {
      latency.add(new Point(x, point.path("latency").asDouble()));
      service.add(new Point(x, point.path("service_time").asDouble()));
      labels.add(text(point, "percentile").replaceFirst("[.]0$", ""));
      x++;
    }
    draw("Milliseconds by percentile", List.of(latency, service), true, List.of(), labels);
  }

  private void byAction() {
    heading("Latency by action");
    paragraph("A bar goes from p50 to p99; the dot is the maximum.");
    var actions = new ArrayList<JsonNode>();
    report.path("actions").forEach(actions::add);
    double least = Double.MAX_VALUE;
    double most = LEAST;
    for (var action : actions) {
      least = Math.min(least, action.path("latency").path("p50").asDouble());
      most = Math.max(most, action.path("latency").path("max").asDouble());
    }
    var axis = new Axis(least, most, true);
    int height = ROW * actions.size() + BOTTOM;
    open("Latency by action in milliseconds", height);
    for (double tick : axis.ticks()) {
      double at = across(axis, tick);
      line("grid", at, 0, at, height - BOTTOM);
      label(at, height - TOP, "middle", number(tick));
    }
    for (int i = 0; i < actions.size(); i++) {
      double y = ROW * (i + 0.5);
      var times = actions.get(i).path("latency");
      label(LABEL - 8, y + 4, "end", text(actions.get(i), "action"));
      line(
          "range a",
          across(axis, times.path("p50").asDouble()),
          y,
          across(axis, times.path("p99").asDouble()) + 1,
          y);
      add(
          String.format(
              Locale.ROOT,
              "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>%n",
              across(axis, times.path("max").asDouble()),
              y));
    }
    add("</svg></div>\n");
  }

  private static double across(Axis axis, double value) {
    return LABEL + axis.share(value) * (WIDTH - LABEL - 20);
  }

  private void actions() {
    heading("Routes");
    var rows = new ArrayList<List<String>>();
    for (var action : report.path("actions")) {
      var row =
          new ArrayList<>(
              List.of(
                  text(action, "action"),
                  text(action, "route"),
                  text(action, "requests"),
                  text(action, "errors")));
      row.addAll(times(action.path("latency")));
      row.add(text(action.path("service_time"), "p99"));
      row.add(text(action, "read_units"));
      row.add(text(action, "write_units"));
      row.add(text(action, "dollars"));
      row.add(text(action.path("effects"), "read_units"));
      row.add(text(action.path("effects"), "write_units"));
      row.add(text(action.path("effects"), "dollars"));
      rows.add(row);
    }
    table(
        List.of(
            "action",
            "route",
            "requests",
            "errors",
            "p50",
            "p90",
            "p99",
            "p99.9",
            "max",
            "p99 of service",
            "read units",
            "write units",
            "dollars",
            "effects, read units",
            "write units",
            "dollars"),
        rows);
    var planned = report.path("planned_effects");
    paragraph(
        "The effects behind the stream are those of the plan for the requests that succeeded, as AWS bills them: %s followers of a new post's author, the average of this graph, and %s posts of an account that is followed. No response reports them. What all of them cost here is below, where it is known."
            .formatted(text(planned, "followers"), text(planned, "posts")));
  }

  private void codes() {
    heading("Answers by code");
    var rows = new ArrayList<List<String>>();
    for (var action : report.path("actions")) {
      action
          .path("codes")
          .properties()
          .forEach(
              code ->
                  rows.add(
                      List.of(
                          text(action, "action"),
                          escaped(code.getKey()),
                          code.getValue().asText())));
    }
    report
        .path("codes")
        .properties()
        .forEach(
            code -> rows.add(List.of("all", escaped(code.getKey()), code.getValue().asText())));
    table(List.of("action", "code", "requests"), rows);
    LoadReport.refusals(report).forEach(this::paragraph);
  }

  private void units() {
    heading("Units and dollars");
    var units = report.path("units");
    var rows = new ArrayList<List<String>>();
    row(rows, "requests", units.path("requests"));
    row(rows, "probe of the lag", units.path("probe"));
    row(rows, "effects of both", units.path("behind"));
    table(List.of("", "read units", "write units", "dollars"), rows);
    paragraph(
        "At %s dollars a million read units and %s a million write units. The units are those that"
                .formatted(
                    text(units, "dollars_a_million_reads"), text(units, "dollars_a_million_writes"))
            + " the platform reports; DynamoDB Local reports less than AWS bills for absent items"
            + " and for transactions.");
  }

  private static void row(List<List<String>> rows, String name, JsonNode cost) {
    if (!cost.isMissingNode()) {
      rows.add(
          List.of(
              name, text(cost, "read_units"), text(cost, "write_units"), text(cost, "dollars")));
    }
  }

  private void lags() {
    heading("Lag of the lanes");
    paragraph("From the answer to a write until its effect is visible to another account.");
    var rows = new ArrayList<List<String>>();
    for (var lane : List.of("effects", "counts")) {
      var lag = report.path("lag").path(lane);
      rows.add(
          List.of(
              lane,
              text(lag, "measured"),
              text(lag, "p50"),
              text(lag, "p99"),
              text(lag, "max"),
              text(lag, "unseen")));
    }
    table(List.of("lane", "measured", "p50", "p99", "max", "not visible in time"), rows);
    LoadReport.failedMeasurements(report).ifPresent(this::paragraph);
    if (report.has("drained_s")) {
      paragraph(
          "All writes had had their effects " + text(report, "drained_s") + " s after the end.");
    }
    if (report.has("verified")) {
      var verified = report.path("verified");
      paragraph(
          "Verification: %s rows, %s drift."
              .formatted(text(verified, "rows"), text(verified, "drift")));
    }
  }

  private void plot(String title, List<List<Point>> curves, boolean isLogarithmic) {
    plot(title, curves, isLogarithmic, List.of());
  }

  private void plot(
      String title, List<List<Point>> curves, boolean isLogarithmic, List<Point> bars) {
    draw(title, curves, isLogarithmic, bars, List.of());
  }

  /**
   * Draws curves.
   *
   * @param labels the labels of the points; without them the axis has numbers
   */
  private void draw(
      String title,
      List<List<Point>> curves,
      boolean isLogarithmic,
      List<Point> bars,
      List<String> labels) {
    var all = curves.stream().flatMap(List::stream).toList();
    var y =
        new Axis(
            all.stream().mapToDouble(Point::y).min().orElse(LEAST),
            all.stream().mapToDouble(Point::y).max().orElse(1),
            isLogarithmic);
    var x = new Axis(0, all.stream().mapToDouble(Point::x).max().orElse(1), false);
    open(title, HEIGHT);
    for (double tick : y.ticks()) {
      line("grid", LEFT, up(y, tick), WIDTH, up(y, tick));
      label(LEFT - 8, up(y, tick) + 4, "end", number(tick));
    }
    if (labels.isEmpty()) {
      for (double tick : x.ticks()) {
        label(along(x, tick), HEIGHT - TOP, "middle", number(tick));
      }
    }
    for (int i = 0; i < labels.size(); i++) {
      label(along(x, i), HEIGHT - TOP, "middle", labels.get(i));
    }
    var names = List.of("a", "b", "c");
    for (int i = 0; i < curves.size(); i++) {
      var points = new StringBuilder();
      for (var point : curves.get(i)) {
        points.append(
            String.format(Locale.ROOT, "%.1f,%.1f ", along(x, point.x()), up(y, point.y())));
      }
      add(
          "<polyline class=\"curve %s\" points=\"%s\"/>%n"
              .formatted(names.get(i), points.toString().strip()));
    }
    for (var bar : bars) {
      if (bar.y() > 0) {
        line("bar", along(x, bar.x()), up(y, 0), along(x, bar.x()), up(y, bar.y()));
      }
    }
    add("</svg></div>\n");
  }

  private static double along(Axis axis, double value) {
    return LEFT + 10 + axis.share(value) * (WIDTH - LEFT - 30);
  }

  private static double up(Axis axis, double value) {
    return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - BOTTOM - TOP);
  }

  /** A linear axis from 0, or a logarithmic one between powers of ten. */
  private record Axis(double from, double to, boolean isLogarithmic) {
    private Axis {
      if (isLogarithmic) {
        from = Math.floor(Math.log10(Math.max(from, LEAST)));
        to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(to, LEAST))));
      } else {
        from = 0;
        to = Math.max(to, 1);
      }
    }

    double share(double value) {
      double place = isLogarithmic ? Math.log10(Math.max(value, LEAST)) : value;
      return Math.clamp((place - from) / (to - from), 0, 1);
    }

    List<Double> ticks() {
      var ticks = new ArrayList<Double>();
      if (isLogarithmic) {
        for (double power = from; power <= to; power++) {
          ticks.add(Math.pow(10, power));
        }
        return ticks;
      }
      double power = Math.pow(10, Math.floor(Math.log10(to / TICKS)));
      double step = power * (to / TICKS > 5 * power ? 10 : to / TICKS > 2 * power ? 5 : 2);
      for (int i = 0; i * step <= to; i++) {
        ticks.add(i * step);
      }
      return ticks;
    }
  }

  private void open(String title, int height) {
    add(
        "<div class=\"wide\"><svg viewBox=\"0 0 %d %d\" role=\"img\"><title>%s</title>%n"
            .formatted(WIDTH, height, title));
  }

  private void line(String style, double x1, double y1, double x2, double y2) {
    add(
        String.format(
            Locale.ROOT,
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
            style,
            x1,
            y1,
            x2,
            y2));
  }

  private void label(double x, double y, String anchor, String text) {
    add(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            text));
  }

  private static String number(double value) {
    return value >= 1 || value == 0
        ? String.format(Locale.ROOT, "%.0f", value)
        : Double.toString(value);
  }

  private void legend(String a, String b, String c, String e) {
    var text = new StringBuilder("<p class=\"legend\">");
    mark(text, "a", a);
    mark(text, "b", b);
    mark(text, "c", c);
    mark(text, "e", e);
    add(text.append("</p>\n").toString());
  }

  private static void mark(StringBuilder text, String style, String name) {
    if (!name.isEmpty()) {
      text.append("<span class=\"%s\">■</span> %s ".formatted(style, name));
    }
  }

  private void table(List<String> heads, List<List<String>> rows) {
    add("<div class=\"wide\"><table>\n<tr>");
    heads.forEach(head -> add("<th>" + head + "</th>"));
    add("</tr>\n");
    for (var row : rows) {
      add("<tr>");
      row.forEach(cell -> add("<td>" + cell + "</td>"));
      add("</tr>\n");
    }
    add("</table></div>\n");
  }

  private void heading(String text) {
    add("<h2>" + text + "</h2>\n");
  }

  private void paragraph(String text) {
    add("<p>" + text + "</p>\n");
  }

  private void add(String html) {
    page.append(html);
  }

  private static String text(JsonNode node, String field) {
    return escaped(node.path(field).asText());
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
