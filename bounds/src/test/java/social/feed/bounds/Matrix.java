package social.feed.bounds;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import social.feed.bounds.Work.Measure;

/**
 * What each operation costs with every knob small, and with one knob large.
 *
 * @param small the cost by operation, with every knob small
 * @param large the cost by operation and knob, with this knob large and all others small
 */
record Matrix(Map<String, Work> small, Map<String, Map<Knob, Work>> large) {
  /** Rounding up may add a call or a read unit. */
  private static final double ROUNDING = 1;

  /** The rows of a world have fixed sizes, so no write unit and no message is due to rounding. */
  private static final double NONE = 0.5;

  /** A formula is right if it is this near to what was measured. */
  private static final double SHARE = 0.2;

  private static final double SLACK = 4;

  /**
   * At the full sizes a formula, which describes the growth to smaller ones, is exceeded by no more
   * than this factor, and by one for so many of the knob.
   */
  private static final double MOST = 1.6;

  private static final double OF_KNOB = 50;

  static Matrix empty() {
    return new Matrix(new LinkedHashMap<>(), new LinkedHashMap<>());
  }

  void addSmall(String operation, Work work) {
    small.put(operation, work);
    large.put(operation, new EnumMap<>(Knob.class));
  }

  void addLarge(String operation, Knob knob, Work work) {
    Objects.requireNonNull(large.get(operation), operation).put(knob, work);
  }

  Work small(String operation) {
    return Objects.requireNonNull(small.get(operation), operation);
  }

  Work large(String operation, Knob knob) {
    return Objects.requireNonNull(large.get(operation)).getOrDefault(knob, small(operation));
  }

  /** Returns the knobs with which an operation was measured. */
  Set<Knob> measured(String operation) {
    return Objects.requireNonNull(large.get(operation), operation).keySet();
  }

  double growth(String operation, Knob knob, Measure measure) {
    return measure.of(large(operation, knob)) - measure.of(small(operation));
  }

  boolean grows(String operation, Knob knob, Measure measure) {
    return growth(operation, knob, measure) > roundingOf(measure);
  }

  private static double roundingOf(Measure measure) {
    return switch (measure) {
      case CALLS, READ -> ROUNDING;
      case WRITE, MESSAGES -> NONE;
    };
  }

  boolean grows(String operation, Knob knob) {
    return List.of(Measure.values()).stream().anyMatch(it -> grows(operation, knob, it));
  }

  /** Returns where the matrix and the known growth differ, a sentence each. */
  List<String> differences(KnownGrowth known) {
    var found = cells(known, this::compare);
    known.lines().stream()
        .filter(line -> !small.containsKey(line.operation()))
        .forEach(line -> found.add("listed, but is no operation: " + line.operation()));
    return found;
  }

  /**
   * Returns what grows without being listed, or faster than its formula says: for the full sizes,
   * where pages fill up and limits that a formula leaves out begin.
   */
  List<String> excesses(KnownGrowth known) {
    return cells(known, this::exceed);
  }

  /** Compares each listed cell, and finds each other one that grows. */
  private List<String> cells(
      KnownGrowth known, BiConsumer<KnownGrowth.Line, List<String>> comparison) {
    var found = new ArrayList<String>();
    for (var operation : small.keySet()) {
      for (var knob : measured(operation)) {
        known
            .of(operation, knob)
            .ifPresentOrElse(
                line -> comparison.accept(line, found),
                () -> {
                  if (grows(operation, knob)) {
                    found.add("grows, and is not listed: " + suggestion(operation, knob));
                  }
                });
      }
    }
    return found;
  }

  private void exceed(KnownGrowth.Line line, List<String> found) {
    for (var measure : Measure.values()) {
      double growth = growth(line.operation(), line.knob(), measure);
      double expected = line.of(measure).between(line.knob().small(), line.knob().large());
      if (growth > MOST * expected + line.knob().large() / OF_KNOB) {
        found.add(difference(line, measure, growth, expected));
      }
    }
  }

  private String difference(
      KnownGrowth.Line line, Measure measure, double growth, double expected) {
    return "grows by %s %s instead of %s: %s; measured: %s"
        .formatted(
            number(growth),
            measure.title(),
            number(expected),
            cell(line),
            suggestion(line.operation(), line.knob()));
  }

  private void compare(KnownGrowth.Line line, List<String> found) {
    for (var measure : Measure.values()) {
      double growth = growth(line.operation(), line.knob(), measure);
      double expected = line.of(measure).between(line.knob().small(), line.knob().large());
      boolean isListed = line.of(measure).grows();
      boolean grows = grows(line.operation(), line.knob(), measure);
      if (isListed && !grows) {
        found.add("no longer grows in %s: %s".formatted(measure, cell(line)));
      } else if (isListed
          ? Math.abs(growth - expected) > Math.max(SLACK, SHARE * expected)
          : grows) {
        found.add(difference(line, measure, growth, expected));
      }
    }
  }

  private static String cell(KnownGrowth.Line line) {
    return line.operation() + " | " + line.knob();
  }

  /** Returns a line with straight formulas, to start from. */
  String suggestion(String operation, Knob knob) {
    return "%s | %s | %s | %s | %s | %s | must be bounded"
        .formatted(
            operation,
            knob,
            slope(operation, knob, Measure.CALLS),
            slope(operation, knob, Measure.READ),
            slope(operation, knob, Measure.WRITE),
            slope(operation, knob, Measure.MESSAGES));
  }

  private String slope(String operation, Knob knob, Measure measure) {
    if (!grows(operation, knob, measure)) {
      return "-";
    }
    double slope = growth(operation, knob, measure) / (knob.large() - knob.small());
    return slope >= 0.5 ? number(slope) + "*n" : "n/" + number(1 / slope);
  }

  /** Returns a number with at most two digits after the point. */
  static String number(double value) {
    double rounded = Math.round(value * 100) / 100.0;
    return rounded == Math.rint(rounded)
        ? String.format(Locale.ROOT, "%.0f", rounded)
        : String.format(Locale.ROOT, "%s", rounded);
  }
}
