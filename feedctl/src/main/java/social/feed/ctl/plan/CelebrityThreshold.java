package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.MONTH_DAYS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import social.feed.table.cost.UserAction;

/** What a post costs by the number of followers from which its author is pulled. */
final class CelebrityThreshold {
  /** More pulled authors take a second round of queries for a page. */
  static final double QUERIES_AT_ONCE = 16;

  /** How late the last reader of a pushed post may get it. */
  private static final double LATEST_SECONDS = 600;

  /** The longest bar of the curve, for twice the least dollars and more. */
  private static final int BAR = 30;

  /** A bar begins at this part of the least dollars, so that small differences show. */
  private static final double LEAST = 0.9;

  private final PlannedLoad load;
  private final PlannedStorage storage;
  private final PlannedScans scans;
  private final Prices prices;

  CelebrityThreshold(PlannedLoad load, PlannedStorage storage, PlannedScans scans, Prices prices) {
    this.load = load;
    this.storage = storage;
    this.scans = scans;
    this.prices = prices;
  }

  private boolean isQuick(double threshold) {
    return load.pulledAPage(threshold) <= QUERIES_AT_ONCE
        && load.largestDeliverySeconds(threshold) <= LATEST_SECONDS;
  }

  /**
   * Returns the dollars a month that depend on the threshold, without the functions of the lanes.
   */
  private double dollarsOf(double threshold) {
    double posts = load.aDay(UserAction.POST);
    var behind = load.behindAPost(threshold);
    double dollars = prices.units(posts * behind.read(), posts * behind.write());
    for (var line : load.pulls(threshold)) {
      dollars += prices.units(line.reads(), line.writes());
    }
    return dollars * MONTH_DAYS
        + storage.dollarsOfEntries(threshold)
        + scans.dollarsOfEntries(threshold);
  }

  Section section() {
    var section =
        Section.of(
            "celebrity threshold",
            "threshold",
            "celebrities",
            "pulled authors a page",
            "last reader after (s)",
            "dollars a month",
            "");
    var curve = new TreeMap<Double, Double>();
    thresholds().forEach(threshold -> curve.put(threshold, dollarsOf(threshold)));
    double cheapest = cheapest(curve).orElseThrow();
    var quick = new TreeMap<>(curve);
    quick.keySet().removeIf(threshold -> !isQuick(threshold));
    curve.forEach(
        (threshold, dollars) ->
            section.row(
                threshold,
                Math.rint(load.celebrities(threshold)),
                load.pulledAPage(threshold),
                load.largestDeliverySeconds(threshold),
                dollars,
                bar(dollars / curve.getOrDefault(cheapest, dollars))
                    + (threshold == load.in().threshold() ? " planned" : "")
                    + (threshold == cheapest ? " cheapest" : "")));
    return section
        .note(
            "Dollars for posts behind the stream, storage, backup and sweep of their entries, pulled"
                + " authors on pages, and the registry on all servers. A bar begins at nine tenths of the least and ends"
                + " at twice the least. Each celebrity crosses the threshold once in 100 days.")
        .note(
            cheapest(quick)
                .map(
                    threshold ->
                        "Cheapest with at most 16 pulled authors on a page (one round of queries) and"
                            + " the last reader served within ten minutes: "
                            + Section.text(threshold)
                            + ".")
                .orElse(
                    "No threshold has at most 16 pulled authors on a page (one round of queries) and"
                        + " serves the last reader within ten minutes."));
  }

  /** Returns the threshold with the least dollars. */
  private static Optional<Double> cheapest(Map<Double, Double> curve) {
    return curve.entrySet().stream().min(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  /**
   * Returns a bar.
   *
   * @param ratio dollars divided by the least
   */
  private static String bar(double ratio) {
    double share = Math.min(1, (ratio - LEAST) / (2 - LEAST));
    return "#".repeat((int) Math.max(1, Math.round(BAR * share)));
  }

  private List<Double> thresholds() {
    var all = new ArrayList<Double>();
    for (double power = 1e3; power <= 1e8; power *= 10) {
      for (double step : new double[] {1, 2, 5}) {
        all.add(power * step);
      }
    }
    all.add((double) load.in().threshold());
    return all.stream()
        .distinct()
        .sorted()
        .filter(
            threshold ->
                threshold <= 2.5 * load.popularity().greatest()
                    || threshold == load.in().threshold())
        .toList();
  }
}
