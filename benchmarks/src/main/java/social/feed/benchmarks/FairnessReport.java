package social.feed.benchmarks;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import social.feed.benchmarks.Svg.Line;
import social.feed.benchmarks.Svg.Point;
import social.feed.benchmarks.Svg.Ratio;

/** The delivery times of the sides of a run of {@link Fairness}, and what they say. */
final class FairnessReport {
  private static final double GOAL = Goal.FAIRNESS.limit();
  private static final List<Double> PERCENTILES = List.of(50.0, 99.0);

  /** Next to nothing. */
  final Side alone = new Side();

  /** Next to one caller. */
  final Side one = new Side();

  /** Next to the writes of one caller's deliveries, without the platform. */
  final Side bare = new Side();

  /** Next to the same requests from many callers. */
  final Side many = new Side();

  private final boolean hasMany;

  FairnessReport(boolean hasMany) {
    this.hasMany = hasMany;
  }

  /** The delivery times of a side in microseconds. */
  static final class Side {
    private final Histogram all = new Histogram(3);
    private final List<Samples> percentiles = PERCENTILES.stream().map(_ -> new Samples()).toList();

    void add(Histogram round) {
      all.add(round);
      for (int i = 0; i < PERCENTILES.size(); i++) {
        percentiles.get(i).add(round.getValueAtPercentile(PERCENTILES.get(i)) / 1e3);
      }
    }
  }

  /** The ratios of each percentile: to each other side. */
  private List<Ratio> ratios() {
    return IntStream.range(0, PERCENTILES.size())
        .boxed()
        .flatMap(
            i ->
                Stream.of(
                        Optional.of(ratio("one ÷ alone", i, alone)),
                        Optional.of(ratio("one ÷ bare writes", i, bare)),
                        Optional.of(i)
                            .filter(_ -> hasMany)
                            .map(_ -> ratio("one ÷ many callers", i, many)))
                    .flatMap(Optional::stream))
        .toList();
  }

  private Ratio ratio(String title, int percentile, Side other) {
    return new Ratio(
        "Delivery, p%.0f, %s".formatted(PERCENTILES.get(percentile), title),
        one.percentiles.get(percentile).ratioTo(other.percentiles.get(percentile)),
        GOAL,
        true);
  }

  /**
   * Returns the report.
   *
   * @param about what was done
   * @param answers how many requests had which answer
   */
  BenchmarkReport report(String about, String answers) {
    var report = new BenchmarkReport("fairness", "Delivery next to a caller at the limits");
    report.paragraph(about);
    report.table(
        List.of("", "alone", "one caller", "bare writes", "many"),
        IntStream.range(0, PERCENTILES.size())
            .mapToObj(
                i ->
                    List.of(
                        "Delivery, p%.0f, ms".formatted(PERCENTILES.get(i)),
                        "%,.1f".formatted(alone.percentiles.get(i).median()),
                        "%,.1f".formatted(one.percentiles.get(i).median()),
                        "%,.1f".formatted(bare.percentiles.get(i).median()),
                        hasMany ? "%,.1f".formatted(many.percentiles.get(i).median()) : "–"))
            .toList());
    report.table(
        List.of("Ratio", "", ""),
        ratios().stream()
            .map(
                ratio ->
                    List.of(
                        ratio.title(),
                        "%.2f".formatted(ratio.value()),
                        ratio.isReached() ? "" : "misses %.2f".formatted(GOAL)))
            .toList());
    report.paragraph(answers);
    report.paragraph("A bar is the goal. Blue: next to one. Gray: alone.");
    report.plot("ratios", Svg.ratios("Delivery time", ratios()));
    report.plot(
        "percentiles",
        Svg.lines(
            "Delivery time",
            "percentile",
            "ms",
            List.of(line("bare", alone), line("platform", one))));
    return report;
  }

  private static Line line(String style, Side side) {
    return new Line(
        style,
        IntStream.rangeClosed(1, 99)
            .mapToObj(p -> new Point(p, side.all.getValueAtPercentile(p) / 1e3))
            .toList());
  }
}
