package social.feed.ctl.plan;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * The order in which a growing platform exceeds its limits. Nothing but the number of users
 * changes, and each limit keeps its default.
 */
final class FirstExceeded {
  private static final double SMALLEST = 1e4;
  private static final int POWERS = 6;

  /** Sizes for each power of ten. Between two of them, the exact one is looked for. */
  private static final int SIZES = 20;

  private static final double EXACT = 1.005;

  private FirstExceeded() {}

  /**
   * Returns the limits that ten billion users or fewer exceed, those first that the fewest exceed.
   *
   * @param limits of a number of users
   */
  static Section of(LongFunction<List<Limit>> limits) {
    var first = new LinkedHashMap<String, Limit>();
    var users = new LinkedHashMap<String, Double>();
    for (int i = 0; i <= POWERS * SIZES; i++) {
      double size = SMALLEST * Math.pow(10, (double) i / SIZES);
      for (var limit : limits.apply((long) size)) {
        if (limit.isExceeded() && first.putIfAbsent(limit.name(), limit) == null) {
          users.put(limit.name(), twoDigits(lastThatFits(limits, limit.name(), size)));
        }
      }
    }
    var section = Section.of("the order of limits", "users", "limit", "its default");
    users.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
        .forEach(
            it -> {
              var limit = first.get(it.getKey());
              if (limit != null) {
                section.row(it.getValue(), limit.name(), limit.standard());
              }
            });
    return section;
  }

  private static double lastThatFits(
      LongFunction<List<Limit>> limits, String name, double exceeded) {
    double fits = exceeded / Math.pow(10, 1.0 / SIZES);
    double above = exceeded;
    while (above / fits > EXACT) {
      double middle = Math.sqrt(fits * above);
      boolean isExceeded =
          limits.apply((long) middle).stream()
              .anyMatch(limit -> limit.name().equals(name) && limit.isExceeded());
      if (isExceeded) {
        above = middle;
      } else {
        fits = middle;
      }
    }
    return fits;
  }

  /** Rounds down, so that the platform still fits. */
  private static double twoDigits(double size) {
    double unit = Math.pow(10, Math.floor(Math.log10(size)) - 1);
    return Math.floor(size / unit) * unit;
  }
}
