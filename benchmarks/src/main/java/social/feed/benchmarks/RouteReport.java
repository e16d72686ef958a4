package social.feed.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import social.feed.benchmarks.RouteResult.Side;
import social.feed.benchmarks.Svg.Line;
import social.feed.benchmarks.Svg.Point;
import social.feed.benchmarks.Svg.Ratio;

/** Shows the results of {@link RouteBenchmark} as tables and as a page with plots. */
final class RouteReport {
  private static final double CPU_GOAL = 1.2;
  private static final double THROUGHPUT_GOAL = 0.9;
  private static final double P99_GOAL = 1.3;
  private static final double MEDIAN = 50;
  private static final double P99 = 99;

  private static final String STYLE =
      """
      body{font:15px/1.45 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}
      table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:1rem 0}
      th,td{padding:.3rem .7rem;text-align:right;border-bottom:1px solid #d9dee5}
      th:first-child,td:first-child{text-align:left}
      .plots{display:flex;flex-wrap:wrap;gap:1rem}
      svg{max-width:100%;height:auto}
      text{font:11px system-ui,sans-serif;fill:#1c2430}
      text.title{font-weight:600;font-size:13px}
      text.tick{fill:#5b6675}
      .grid{stroke:#e6e9ee}.axis{stroke:#8a94a3}.goal{stroke:#1c2430;stroke-width:2}
      path{fill:none;stroke-width:2}
      .platform{stroke:#0b62d6}.bare{stroke:#8a94a3}
      .platform-tail{stroke:#0b62d6;stroke-dasharray:5 3}.bare-tail{stroke:#8a94a3;stroke-dasharray:5 3}
      .reached{fill:#177245}.missed{fill:#c2410c}
      td.missed{color:#c2410c;font-weight:600}
      """;

  private RouteReport() {}

  /** A column group: platform, bare, ratio and goal. */
  private record Measure(
      String title,
      String format,
      Function<RouteResult, Double> platform,
      Function<RouteResult, Double> bare,
      Function<RouteResult, Double> ratio,
      double goal,
      boolean isMost) {
    Ratio of(RouteResult result) {
      return new Ratio(result.route.title(), ratio.apply(result), goal, isMost);
    }
  }

  private static List<Measure> measures() {
    var measures = new ArrayList<Measure>();
    measures.add(
        sampled("Processor time a request, µs", "%,.0f", side -> side.cpu, CPU_GOAL, true));
    measures.add(
        sampled("Requests a second", "%,.0f", side -> side.throughput, THROUGHPUT_GOAL, false));
    for (int level = 0; level < RouteResult.LEVELS.size(); level++) {
      int at = level;
      measures.add(
          new Measure(
              "p99 at %.0f %% load, ms".formatted(100 * RouteResult.LEVELS.get(level)),
              "%.1f",
              result -> result.platform.latency(at, P99),
              result -> result.bare.latency(at, P99),
              result -> result.latencyRatio(at, P99),
              P99_GOAL,
              true));
    }
    measures.add(
        sampled(
            "Allocated a request, KB",
            "%,.0f",
            side -> side.allocated,
            Double.POSITIVE_INFINITY,
            true));
    return measures;
  }

  private static Measure sampled(
      String title, String format, Function<Side, Samples> samples, double goal, boolean isMost) {
    return new Measure(
        title,
        format,
        result -> samples.apply(result.platform).median(),
        result -> samples.apply(result.bare).median(),
        result -> samples.apply(result.platform).ratioTo(samples.apply(result.bare)),
        goal,
        isMost);
  }

  private static String about(RouteBenchmark.Options options) {
    return "%d rounds of %.1f s, in turns; medians, the ratio is the median of the ratios of each round;"
            .formatted(options.rounds(), options.duration().toMillis() / 1e3)
        + " latencies of all rounds together, from the time when a request was due.";
  }

  /** Prints one table for each measure. */
  static void print(PrintStream out, RouteBenchmark.Options options, List<RouteResult> results) {
    out.println(Machine.description());
    out.println(about(options));
    for (var measure : measures()) {
      out.printf("%n%-32s  %10s  %10s  %6s%n", measure.title(), "platform", "bare", "ratio");
      for (var result : results) {
        out.printf(
            "%-32s  %10s  %10s  %6.2f%s%n",
            result.route.title(),
            measure.format().formatted(measure.platform().apply(result)),
            measure.format().formatted(measure.bare().apply(result)),
            measure.ratio().apply(result),
            measure.of(result).isReached() ? "" : "  misses %.1f".formatted(measure.goal()));
      }
    }
    out.printf("%n%s%n", warmUp(results));
  }

  /** The first route warms a new process. */
  private static String warmUp(List<RouteResult> results) {
    var first = results.getFirst();
    return "Warm-up of a new process by the route %s, in seconds of load until a request costs at most 1.2 of the warmed processor time: platform %s, bare %s."
        .formatted(
            first.route.title(),
            seconds(first.platform.warmUpSeconds()),
            seconds(first.bare.warmUpSeconds()));
  }

  private static String seconds(double seconds) {
    return Double.isInfinite(seconds) ? "not reached" : "%.1f".formatted(seconds);
  }

  /** Returns the beginning of a page up to its heading. */
  static String head(String title) {
    return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
        + "<meta name=\"viewport\" content=\"width=device-width\"><title>%1$s</title>"
            .formatted(title)
        + "<style>"
        + STYLE
        + "</style><h1>%s</h1>".formatted(title);
  }

  /** Returns the page. */
  static String page(RouteBenchmark.Options options, List<RouteResult> results) {
    var page = new StringBuilder(head("Routes against bare routes with the same calls"));
    page.append("<p>")
        .append(Machine.description())
        .append(". ")
        .append(about(options))
        .append("</p><p>")
        .append(warmUp(results))
        .append(
            "</p><h2>Ratios</h2><p>A dot is platform ÷ bare, a bar the goal.</p><div class=plots>");
    measures().stream()
        .filter(measure -> Double.isFinite(measure.goal()))
        .forEach(
            measure ->
                page.append(
                    Svg.ratios(measure.title(), results.stream().map(measure::of).toList())));
    page.append("</div><h2>Figures</h2>");
    measures().forEach(measure -> table(page, measure, results));
    page.append(
        "<h2>Latency by load</h2><p>Blue: platform. Gray: bare. Dashed: p99, full: median. Both"
            + " sides get the same requests a second.</p><div class=plots>");
    results.forEach(result -> page.append(latencies(result)));
    page.append(
        "</div><h2>Warm-up</h2><p>The processor time of a request after seconds of load. The first"
            + " route meets a new process.</p><div class=plots>");
    results.forEach(result -> page.append(warmUp(result)));
    return page.append("</div></html>\n").toString();
  }

  private static void table(StringBuilder page, Measure measure, List<RouteResult> results) {
    page.append("<table><tr><th>").append(measure.title()).append("<th>platform<th>bare<th>ratio");
    for (var result : results) {
      page.append(
          "<tr><td>%s<td>%s<td>%s<td%s>%.2f"
              .formatted(
                  result.route.title(),
                  measure.format().formatted(measure.platform().apply(result)),
                  measure.format().formatted(measure.bare().apply(result)),
                  measure.of(result).isReached() ? "" : " class=missed",
                  measure.ratio().apply(result)));
    }
    page.append("</table>");
  }

  private static String latencies(RouteResult result) {
    return Svg.lines(
        result.route.title(),
        "requests a second",
        "ms",
        List.of(
            latency("bare", result, result.bare, MEDIAN),
            latency("bare-tail", result, result.bare, P99),
            latency("platform", result, result.platform, MEDIAN),
            latency("platform-tail", result, result.platform, P99)));
  }

  private static Line latency(String style, RouteResult result, Side side, double percentile) {
    return new Line(
        style,
        IntStream.range(0, RouteResult.LEVELS.size())
            .mapToObj(
                level ->
                    new Point(
                        RouteResult.LEVELS.get(level) * result.saturation,
                        side.latency(level, percentile)))
            .toList());
  }

  private static String warmUp(RouteResult result) {
    return Svg.lines(
        result.route.title(),
        "seconds of load",
        "µs a request",
        List.of(warmUp("bare", result.bare), warmUp("platform", result.platform)));
  }

  private static Line warmUp(String style, Side side) {
    return new Line(
        style, side.warmUp.stream().map(m -> new Point(m.seconds(), m.cpuMicros())).toList());
  }
}
