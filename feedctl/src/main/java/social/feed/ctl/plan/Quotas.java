package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.DAY;
import static social.feed.ctl.plan.PlannedLoad.GB;

import java.util.List;
import social.feed.streams.plan.Lane;

/** The quotas of an account and the limits of a stage that a plan needs to raise. */
final class Quotas {
  /** Default quotas of an account ("Quotas in Amazon DynamoDB", "Lambda quotas"). */
  private static final double TABLE_UNITS = 40_000;

  private static final double CONCURRENCY = 1_000;

  /** Of the stage {@code prod} in {@code infra/cdk}, which this module does not depend on. */
  private static final double STAGE_UNITS = 20_000;

  private static final double STAGE_COUNTS = 100;
  private static final double STAGE_TASKS = 30;
  private static final double STAGE_SWEEP = 500;

  /** From six days on, an erasure may take longer than a month. */
  private static final double SWEEP_DAYS = 5;

  private static final double READ_BYTES = 4_096;

  private final PlannedLoad load;
  private final PlannedStorage storage;
  private final PlannedLanes lanes;

  Quotas(PlannedLoad load, PlannedStorage storage, PlannedLanes lanes) {
    this.load = load;
    this.storage = storage;
    this.lanes = lanes;
  }

  List<Limit> limits() {
    double peak = load.in().peak();
    var units = load.unitsADay();
    double reads = units.read() / DAY * peak;
    double writes = units.write() / DAY * peak;
    double counts = lanes.lane(Lane.COUNTS, peak).concurrency();
    double effects = lanes.lane(Lane.EFFECTS, peak).concurrency();
    double sweep = storage.tableGb() * GB / READ_BYTES / (SWEEP_DAYS * DAY);
    return List.of(
        new Limit("read units a second of a table", reads, TABLE_UNITS),
        new Limit("write units a second of a table", writes, TABLE_UNITS),
        new Limit("maximum read units of the stage prod", reads, STAGE_UNITS),
        new Limit("maximum write units of the stage prod", writes, STAGE_UNITS),
        new Limit("concurrent invocations of the account", counts + effects, CONCURRENCY),
        new Limit("reserved concurrency of the counts lane in prod", counts, STAGE_COUNTS),
        new Limit("API tasks of the stage prod", load.servers(), STAGE_TASKS),
        new Limit(
            "read units a second of the sweep for erasures in prod, to scan in five days",
            sweep,
            STAGE_SWEEP));
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
