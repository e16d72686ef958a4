package social.feed.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import social.feed.benchmarks.RouteResult.Side;
import social.feed.benchmarks.Svg.Line;
import social.feed.benchmarks.Svg.Point;
import social.feed.benchmarks.Svg.Ratio;

/** Shows the results of {@link RouteBenchmark} as tables and as a page with plots. */
final class RouteReport {
  private static final double CPU_GOAL = Goal.PROCESSOR_TIME.limit();
  private static final double THROUGHPUT_GOAL = Goal.THROUGHPUT.limit();
  private static final double P99_GOAL = Goal.LATENCY.limit();
  private static final double MEDIAN = 50;
  private static final double P99 = 99;

  private RouteReport() {}

  /**
   * What is compared.
   *
   * @param file the name of its plot
   * @param goal the ratio that is wanted
   * @param isMost whether the goal is an upper limit
   */
  private record Measure(
      String file,
      String title,
      String format,
      Function<Side, Samples> samples,
      double goal,
      boolean isMost) {
    Ratio of(RouteResult result) {
      double ratio = samples.apply(result.platform).ratioTo(samples.apply(result.bare));
      return new Ratio(result.route.title(), ratio, goal, isMost);
    }

    boolean hasGoal() {
      return Double.isFinite(goal);
    }

    String median(Side side) {
      return format.formatted(samples.apply(side).median());
    }
  }

  private static List<Measure> measures() {
    var measures = new ArrayList<Measure>();
    measures.add(
        new Measure(
            "cpu", "Processor time a request, µs", "%,.0f", side -> side.cpu, CPU_GOAL, true));
    measures.add(
        new Measure(
            "compiler",
            "of it the compiler, µs",
            "%,.0f",
            side -> side.compiled,
            Double.POSITIVE_INFINITY,
            true));
    measures.add(
        new Measure(
            "throughput",
            "Requests a second",
            "%,.0f",
            side -> side.throughput,
            THROUGHPUT_GOAL,
            false));
    for (int level = 0; level < RouteResult.LEVELS.size(); level++) {
      measures.add(percentile(level));
    }
    measures.add(
        new Measure(
            "allocated",
            "Allocated a request, KB",
            "%,.0f",
            side -> side.allocated,
            Double.POSITIVE_INFINITY,
            true));
    return measures;
  }

  private static Measure percentile(int level) {
    double load = 100 * RouteResult.LEVELS.get(level);
    return new Measure(
        "p99-%.0f".formatted(load),
        "p99 at %.0f %% load, ms".formatted(load),
        "%.1f",
        side -> side.latency(level, P99),
        P99_GOAL,
        true);
  }

  /** Returns the levels at which the 99th percentile misses its goal. */
  static List<Double> missedLevels(RouteResult result) {
    return IntStream.range(0, RouteResult.LEVELS.size())
        .filter(level -> isMissed(percentile(level), result))
        .mapToObj(RouteResult.LEVELS::get)
        .toList();
  }

  private static String about(RouteBenchmark.Options options) {
    return "%d rounds of %.1f s, and of %.1f s for a latency, in turns; medians, the ratio is the median of the ratios of each round;"
            .formatted(
                options.rounds(),
                options.duration().toMillis() / 1e3,
                options.open().toMillis() / 1e3)
        + " latencies from the time when a request was due, with other random times in each round."
        + (options.traced() == null
            ? ""
            : " The platform has traces of a share of %s, and bare is the platform without traces."
                .formatted(options.traced()));
  }

  /**
   * Writes the report.
   *
   * @param failed the routes without results
   */
  static void write(RouteBenchmark.Options options, List<RouteResult> results, List<String> failed)
      throws IOException {
    var report = new BenchmarkReport("routes", "Routes against bare routes with the same calls");
    report.paragraph(about(options));
    if (!failed.isEmpty()) {
      report.paragraph("Not measured, because of errors: " + String.join(", ", failed) + ".");
    }
    if (results.getFirst().route == options.routes().getFirst()) {
      report.paragraph(warmUpOf(results.getFirst()));
    }
    report.heading("Ratios");
    report.paragraph("The platform by the bare route. A bar is the goal.");
    for (var measure : measures()) {
      if (measure.hasGoal()) {
        report.plot(
            measure.file(),
            Svg.ratios(measure.title(), results.stream().map(measure::of).toList()));
      }
    }
    report.heading("Figures");
    measures().forEach(measure -> report.table(header(measure), rows(measure, results)));
    report.table(
        List.of("Requests of a side for a p99 of a round", "at 30 %", "at 60 %", "at 90 %"),
        results.stream().map(RouteReport::requests).toList());
    report.table(
        List.of("Processor time, µs", "platform", "bare route", "its SDK calls alone", "ratio"),
        results.stream()
            .filter(result -> !result.calls.cpu.isEmpty())
            .map(RouteReport::calls)
            .toList());
    report.table(
        List.of(
            "The SDK calls alone",
            "the compiler, µs of a request",
            "calls of requests a second",
            "KB",
            "p99 at 30 %, ms",
            "at 60 %",
            "at 90 %"),
        results.stream()
            .filter(result -> !result.calls.cpu.isEmpty())
            .map(RouteReport::callsAlone)
            .toList());
    report.heading("Latency under open load");
    report.paragraph("Blue: the platform. Gray: the bare route. Solid: median. Dashed: p99.");
    results.forEach(result -> report.plot("latency-" + result.route.name(), latencies(result)));
    report.heading("Warm-up");
    report.paragraph(
        "The processor time of a request after seconds of load. The first route meets a new process.");
    results.forEach(result -> report.plot("warm-up-" + result.route.name(), warmUp(result)));
    report.write();
  }

  private static List<String> header(Measure measure) {
    return List.of(measure.title(), "platform", "bare", "ratio", "");
  }

  private static List<List<String>> rows(Measure measure, List<RouteResult> results) {
    return results.stream()
        .map(
            result ->
                List.of(
                    result.route.title(),
                    measure.median(result.platform),
                    measure.median(result.bare),
                    measure.hasGoal() ? "%.2f".formatted(measure.of(result).value()) : "",
                    state(measure, result)))
        .toList();
  }

  private static String state(Measure measure, RouteResult result) {
    if (measure.hasGoal() && !result.isWarm()) {
      return ResultText.UNDECIDED;
    }
    return isMissed(measure, result) ? "misses %.1f".formatted(measure.goal()) : "";
  }

  /** Both sides of a round get the same number, at the same times. */
  private static List<String> requests(RouteResult result) {
    return Stream.concat(
            Stream.of(result.route.title()),
            IntStream.range(0, RouteResult.LEVELS.size())
                .mapToObj(level -> "%,.0f".formatted(result.platform.requests(level).median())))
        .toList();
  }

  /** The last column is the ratio of the platform to the calls alone, which has no goal. */
  private static List<String> calls(RouteResult result) {
    return List.of(
        result.route.title(),
        "%,.0f".formatted(result.platform.cpu.median()),
        "%,.0f".formatted(result.bare.cpu.median()),
        "%,.0f".formatted(result.calls.cpu.median()),
        "%.2f".formatted(result.platform.cpu.ratioTo(result.calls.cpu)));
  }

  /** The rates of the percentiles are those of the other sides. */
  private static List<String> callsAlone(RouteResult result) {
    return Stream.concat(
            Stream.of(
                result.route.title(),
                "%,.0f".formatted(result.calls.compiled.median()),
                "%,.0f".formatted(result.calls.throughput.median()),
                "%,.0f".formatted(result.calls.allocated.median())),
            result.callLatencies.stream().map(level -> "%.1f".formatted(level.median())))
        .toList();
  }

  private static boolean isMissed(Measure measure, RouteResult result) {
    return measure.hasGoal() && !measure.of(result).isReached();
  }

  /** The first route warms a new process. */
  private static String warmUpOf(RouteResult first) {
    return "Warm-up of a new process by the route %s, in seconds of load until a request costs at most 1.2 of the warmed processor time: platform %s, bare %s. Until then the compiler had %.0f and %.0f %% of the processor time."
        .formatted(
            first.route.title(),
            seconds(first.platform.warmUpSeconds()),
            seconds(first.bare.warmUpSeconds()),
            100 * first.platform.compiledMeanwhile(),
            100 * first.bare.compiledMeanwhile());
  }

  private static String seconds(double seconds) {
    return Double.isInfinite(seconds) ? "not reached" : "%.1f".formatted(seconds);
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
                        side.latency(level, percentile).median()))
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
