package social.feed.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Measurements of one candidate, one for each round. */
final class Samples {
  private final List<Double> rounds = new ArrayList<>();

  /** What two candidates did in the same rounds. */
  record Turns<T>(List<T> one, List<T> other) {
    /**
     * Lets both take their turn in each round, and alternates which of them is first. Each takes
     * one turn before, which does not count.
     */
    static <T> Turns<T> of(int rounds, Callable<T> one, Callable<T> other) throws Exception {
      var turns = new Turns<T>(new ArrayList<>(), new ArrayList<>());
      one.call();
      other.call();
      for (int round = 0; round < rounds; round++) {
        if (round % 2 == 0) {
          turns.one.add(one.call());
          turns.other.add(other.call());
        } else {
          turns.other.add(other.call());
          turns.one.add(one.call());
        }
      }
      return turns;
    }
  }

  /** What two candidates took in the same rounds. */
  record Sides(Samples one, Samples other) {
    /** Measures both as {@link Turns} says. */
    static Sides inTurns(int rounds, Callable<Double> one, Callable<Double> other)
        throws Exception {
      var turns = Turns.of(rounds, one, other);
      return new Sides(of(turns.one, took -> took), of(turns.other, took -> took));
    }

    String ratio() {
      return "%.2f".formatted(one.ratioTo(other));
    }
  }

  /** Returns what is measured of the rounds. */
  static <T> Samples of(List<T> rounds, ToDoubleFunction<T> measured) {
    var samples = new Samples();
    rounds.forEach(round -> samples.add(measured.applyAsDouble(round)));
    return samples;
  }

  void add(double measured) {
    rounds.add(measured);
  }

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  double median() {
    return at(0.5);
  }

  /** Returns the median and the quartiles, for example {@code 812 (790 to 841)}. */
  String spread() {
    return "%,.0f (%,.0f to %,.0f)".formatted(at(0.5), at(0.25), at(0.75));
  }

  /** Returns the median rate a second of work that a round did. */
  double rate(long done) {
    return done * 1000 / at(0.5);
  }

  /**
   * Returns the median of the ratios of each round, so that other work of the machine affects both
   * sides.
   */
  double ratioTo(Samples other) {
    var ratios = new Samples();
    IntStream.range(0, rounds.size())
        .forEach(round -> ratios.add(rounds.get(round) / other.rounds.get(round)));
    return ratios.at(0.5);
  }

  /** Returns the quantile of a share, interpolated between two values. */
  private double at(double share) {
    var sorted = rounds.stream().sorted().toList();
    double place = share * (sorted.size() - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.size() - 1);
    return sorted.get(below) + (place - below) * (sorted.get(above) - sorted.get(below));
  }
}
