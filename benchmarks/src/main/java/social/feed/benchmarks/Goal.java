package social.feed.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import social.feed.benchmarks.ResultText.Figure;

/**
 * What the platform must reach: ratios to bare calls or to the smallest size, and two times. Each
 * goal knows which figures of the results it is about.
 */
@SuppressWarnings("ImmutableEnumChecker") // Functions of pure code only.
enum Goal {
  THROUGHPUT(
      "throughput of a route to a bare route",
      least(0.9),
      "routes",
      "where-the-processor-time-goes",
      text -> text.figures("Requests a second", "ratio", "(.*)")),
  PROCESSOR_TIME(
      "processor time of a request to the bare route",
      most(1.2),
      "routes",
      "where-the-processor-time-goes",
      text -> text.figures("Processor time a request, µs", "ratio", "(.*)")),
  LATENCY(
      "99th percentile under open load to the bare route",
      most(1.3),
      "routes",
      "what-slow-requests-wait-for",
      "routes-percentiles",
      Goal::latencies),
  WARM_UP(
      "warm-up of a new process",
      new Limit(10, true, " s"),
      "routes",
      "what-the-warm-up-goes-to",
      "routes-warm-up",
      text -> text.sentence("processor time: platform (not reached|[\\d.]+), bare")),
  FAN_OUT("fan-out, entries a second", least(0.9), "pipeline", rate("fan-out, entries")),
  BACKFILL("backfill, entries a second", least(0.9), "pipeline", rate("backfill, entries")),
  IMPORT(
      "import, edges a second",
      least(0.5),
      "import",
      text -> text.figures("graph", "ratio", "(.*)")),
  VERIFY("`verify`, rows a second", least(0.3), "pipeline", rate("verify, rows")),
  FEED_PAGE(
      "feed page at 1,000,000 entries in the table",
      most(1.2),
      "growth",
      text -> text.figuresBelow("A page of 50 references of a feed", "ratio", "1,000,000")),
  FAN_OUT_MEMORY(
      "memory of a fan-out at 100,000 followers",
      most(1.2),
      "growth",
      text -> text.figuresBelow("Memory of a fan-out", "ratio", "100,000")),
  NEW_POST(
      "new post at up to 100,000 followers",
      most(1.1),
      "growth",
      text -> text.figuresBelow("A new post", "ratio", ".*")),
  FUNCTION(
      "function, from nothing",
      most(1.3),
      "start-up",
      "what-a-start-goes-to",
      start("((?:as|on) .*, (?!after).*)")),
  SNAPSHOT("function, from a snapshot", most(0.5), "start-up", start("as a zip, after a snapshot")),
  LOCAL_PLATFORM(
      "`./feed up` of a built checkout",
      new Limit(2.5, true, " s"),
      "start-up",
      "start-up",
      "feed-up",
      text ->
          text.figures("Local platform, until it is healthy", "platform", "(.*)").stream()
              .map(figure -> figure.times(1e-3))
              .toList()),
  SEARCH(
      "search and its writes, 99th percentile to bare Lucene",
      most(1.5),
      "search",
      text -> text.figures("99th percentile", "ratio", "(.*)")),
  FAIRNESS(
      "deliveries to others next to one caller, to none",
      most(1.1),
      "fairness",
      text -> text.figures("Ratio", "", "Delivery, (p\\d+), one ÷ alone"));

  /** Of more figures than this, only the range is shown. */
  private static final int SHOWN = 2;

  private final String title;
  private final Limit limit;
  private final String benchmark;
  private final String section;
  private final String profile;
  private final Function<ResultText, List<Figure>> figures;

  /**
   * What is wanted.
   *
   * @param isMost whether it is an upper limit
   * @param unit a blank and the unit; empty for a ratio
   */
  private record Limit(double value, boolean isMost, String unit) {}

  /** For a goal that the README explains in the section of its benchmark. */
  Goal(String title, Limit limit, String benchmark, Function<ResultText, List<Figure>> figures) {
    this(title, limit, benchmark, benchmark, figures);
  }

  /** For a goal whose profile is that of its whole benchmark. */
  Goal(
      String title,
      Limit limit,
      String benchmark,
      String section,
      Function<ResultText, List<Figure>> figures) {
    this(title, limit, benchmark, section, benchmark, figures);
  }

  /**
   * Makes a goal.
   *
   * @param section of the README, which says why the goal is missed
   * @param profile what {@link ResultText#PROFILES} are about: the benchmark, or a part of it
   */
  Goal(
      String title,
      Limit limit,
      String benchmark,
      String section,
      String profile,
      Function<ResultText, List<Figure>> figures) {
    this.title = title;
    this.limit = limit;
    this.benchmark = benchmark;
    this.section = section;
    this.profile = ResultText.PROFILES + "-" + profile;
    this.figures = figures;
  }

  private static Limit least(double ratio) {
    return new Limit(ratio, false, "");
  }

  private static Limit most(double ratio) {
    return new Limit(ratio, true, "");
  }

  private static Function<ResultText, List<Figure>> rate(String row) {
    return text -> text.figures("a second", "ratio", row);
  }

  private static Function<ResultText, List<Figure>> start(String rows) {
    return text -> text.figures("Function, to its first answer", "ratio", rows);
  }

  private static List<Figure> latencies(ResultText text) {
    var latencies = new ArrayList<Figure>();
    for (int load : List.of(30, 60, 90)) {
      text.figures("p99 at " + load + " % load, ms", "ratio", "(.*)")
          .forEach(
              figure ->
                  latencies.add(
                      new Figure(
                          figure.label() + ", " + load + " %", figure.value(), figure.isMissed())));
    }
    return latencies;
  }

  /** Names of commands are in back quotes. */
  String title() {
    return title;
  }

  double limit() {
    return limit.value();
  }

  String benchmark() {
    return benchmark;
  }

  /** The link to the section of the README that says why the goal is missed. */
  String section() {
    return "#" + section;
  }

  /** Returns the name of the results that show where the time goes. They may not be there. */
  String profile() {
    return profile;
  }

  String wanted() {
    return "%s %s%s"
        .formatted(
            limit.isMost() ? "at most" : "at least", number("%.1f", limit.value()), limit.unit())
        .replace(".0", "");
  }

  List<Figure> in(ResultText results) {
    return figures.apply(results);
  }

  boolean isReached(Figure figure) {
    return !figure.isMissed()
        && (limit.isMost() ? figure.value() <= limit.value() : figure.value() >= limit.value());
  }

  /** Returns how many times the goal a figure is in the wrong direction. At 1 it is the goal. */
  double timesOfGoal(Figure figure) {
    return limit.isMost() ? figure.value() / limit.value() : limit.value() / figure.value();
  }

  /** Returns the range of the figures, which may be one. */
  String range(List<Figure> figures) {
    var range = figures.stream().mapToDouble(Figure::value).summaryStatistics();
    return range(value(range.getMin()), value(range.getMax()));
  }

  /** Returns all of a few figures with their labels, and the range of many. */
  String measured(List<Figure> figures) {
    if (figures.size() <= SHOWN) {
      return figures.stream()
          .map(
              figure ->
                  value(figure.value())
                      + (figure.label().isEmpty() ? "" : " (%s)".formatted(figure.label())))
          .collect(Collectors.joining(", "));
    }
    return range(figures);
  }

  String value(double value) {
    return Double.isInfinite(value)
        ? "not reached"
        : number(value < 10 ? "%.2f" : "%.1f", value) + limit.unit();
  }

  /** Returns whether the figures reach the goal, or how many do and by how much the others miss. */
  String state(List<Figure> figures) {
    if (figures.isEmpty()) {
      return "not measured";
    }
    var missed = figures.stream().filter(figure -> !isReached(figure)).toList();
    if (missed.isEmpty()) {
      return "reached";
    }
    var by =
        missed.stream()
            .mapToDouble(figure -> Math.abs(figure.value() - limit.value()))
            .filter(Double::isFinite)
            .summaryStatistics();
    var byHowMuch = by.getCount() == 0 ? "" : " by " + range(by(by.getMin()), by(by.getMax()));
    return missed.size() == figures.size()
        ? "missed" + byHowMuch
        : "reached by "
            + (figures.size() - missed.size())
            + " of "
            + figures.size()
            + ", missed"
            + byHowMuch;
  }

  /** A run may know that a figure misses the goal which is equal to it when rounded. */
  private String by(double difference) {
    return difference < 0.005 ? "less than 0.01" + limit.unit() : value(difference);
  }

  private static String range(String least, String most) {
    return least.equals(most) ? least : least + " to " + most;
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
