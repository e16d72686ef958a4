package social.feed.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import social.feed.benchmarks.RouteWorld.Route;

/** What was measured of one route on both sides. */
final class RouteResult {
  /** Shares of the saturation at which latencies are measured. */
  static final List<Double> LEVELS = List.of(0.3, 0.6, 0.9);

  /** The share of the processor time from which on a compiler decides on a ratio. */
  private static final double STILL_COMPILING = 0.1;

  final Route route;
  final Side platform = new Side();
  final Side bare = new Side();

  /** The calls of the bare route by {@link BareLoop}; empty where it did not run. */
  final Side calls = new Side();

  /** The 99th percentile of these calls at each level, in milliseconds. */
  final List<Samples> callLatencies = LEVELS.stream().map(_ -> new Samples()).toList();

  /** Requests a second that both sides can serve. */
  double saturation;

  RouteResult(Route route) {
    this.route = route;
  }

  /** Returns whether the compilers of both sides had hardly any work left. */
  boolean isWarm() {
    return Math.max(platform.compiling(), bare.compiling()) < STILL_COMPILING;
  }

  /**
   * A moment of the warm-up.
   *
   * @param seconds of load so far
   * @param cpuMicros processor time of a request since the last moment
   * @param compiled the compiler's share of the processor time since the last moment
   */
  record Moment(double seconds, double cpuMicros, double compiled) {}

  /** What was measured of one side. */
  static final class Side {
    /** Of a process that was warmed by other routes before, or of a new one. */
    final List<Moment> warmUp = new ArrayList<>();

    final Samples throughput = new Samples();

    /** Microseconds a request. */
    final Samples cpu = new Samples();

    /** Microseconds a request that the compiler worked. */
    final Samples compiled = new Samples();

    /** Kilobytes a request. */
    final Samples allocated = new Samples();

    /** In nanoseconds from the time at which a request was due: each level, each round. */
    final List<List<Histogram>> latencies =
        LEVELS.stream().<List<Histogram>>map(_ -> new ArrayList<>()).toList();

    /** Returns a percentile of each round, in milliseconds. */
    Samples latency(int level, double percentile) {
      var samples = new Samples();
      latencies
          .get(level)
          .forEach(round -> samples.add(round.getValueAtPercentile(percentile) / 1e6));
      return samples;
    }

    /** Returns the requests behind a percentile of a round. */
    Samples requests(int level) {
      var samples = new Samples();
      latencies.get(level).forEach(round -> samples.add(round.getTotalCount()));
      return samples;
    }

    /** The share of the processor time in which the compiler still works, while it is measured. */
    double compiling() {
      return compiled.median() / cpu.median();
    }

    /**
     * Returns the seconds of load until a request costs at most 1.2 of the warmed processor time.
     */
    double warmUpSeconds() {
      double enough = 1.2 * cpu.median();
      return warmUp.stream()
          .filter(moment -> moment.cpuMicros() <= enough)
          .mapToDouble(Moment::seconds)
          .findFirst()
          .orElse(Double.POSITIVE_INFINITY);
    }

    /** Returns the compiler's share of the processor time until then. */
    double compiledMeanwhile() {
      double until = warmUpSeconds();
      return warmUp.stream()
          .filter(moment -> moment.seconds() <= until)
          .mapToDouble(Moment::compiled)
          .average()
          .orElse(0);
    }
  }
}
