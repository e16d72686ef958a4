package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.DAY;

import java.util.List;
import java.util.stream.Stream;
import social.feed.streams.plan.Lane;

/** The quotas of an account and the limits of a stage that a plan needs to raise. */
final class Quotas {
  /** Default quotas of an account ("Quotas in Amazon DynamoDB", "Lambda quotas"). */
  private static final double TABLE_UNITS = 40_000;

  private static final double CONCURRENCY = 1_000;

  /** Lambda keeps so many invocations of an account from being reserved. */
  private static final double UNRESERVED = 100;

  /** Of the stage {@code prod} in {@code infra/cdk}, which this module does not depend on. */
  private static final double STAGE_UNITS = 20_000;

  private static final double STAGE_COUNTS = 100;

  private final PlannedLoad load;
  private final PlannedLanes lanes;
  private final PlannedScans scans;
  private final PlannedFront front;

  Quotas(PlannedLoad load, PlannedLanes lanes, PlannedScans scans, PlannedFront front) {
    this.load = load;
    this.lanes = lanes;
    this.scans = scans;
    this.front = front;
  }

  List<Limit> limits() {
    return Stream.concat(limitsBehind().stream(), front.limits().stream()).toList();
  }

  /** The sweep reads all day, also at peak. */
  private List<Limit> limitsBehind() {
    double peak = load.in().peak();
    var units = load.unitsADay();
    double sweep = scans.sweepUnitsASecond();
    double reads = units.read() / DAY * peak + sweep;
    double writes = units.write() / DAY * peak;
    double counts = lanes.lane(Lane.COUNTS, peak).concurrency();
    double effects = lanes.lane(Lane.EFFECTS, peak).concurrency();
    return List.of(
        new Limit("read units a second of a table", reads, TABLE_UNITS),
        new Limit("write units a second of a table", writes, TABLE_UNITS),
        new Limit("maximum read units of the stage prod", reads, STAGE_UNITS),
        new Limit("maximum write units of the stage prod", writes, STAGE_UNITS),
        new Limit(
            "concurrent invocations of the account",
            counts + Math.max(effects, UNRESERVED),
            CONCURRENCY),
        new Limit("reserved concurrency of the counts lane in prod", counts, STAGE_COUNTS),
        new Limit(
            "read units a second of the sweep for erasures in prod, to scan in five days",
            sweep,
            PlannedScans.UNITS));
  }

  Section section() {
    var section = Section.of("quotas", "quota", "default", "needed at peak", "raise");
    for (var quota : limits()) {
      section.row(
          quota.name(),
          quota.standard(),
          Math.ceil(quota.needed()),
          quota.isExceeded() ? "yes" : "no");
    }
    return section;
  }
}
