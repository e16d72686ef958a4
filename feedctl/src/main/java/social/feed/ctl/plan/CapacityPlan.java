package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.DAY;
import static social.feed.ctl.plan.PlannedLoad.MONTH_DAYS;

import java.util.List;
import java.util.stream.Stream;
import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * Units, dollars, storage and limits of a platform of a given size. The costs of actions are those
 * that tests assert ({@link PlannedLoad}); everything else that it assumes is a constant of the
 * class that uses it.
 */
final class CapacityPlan {
  private final Prices prices;
  private final PlannedLoad load;
  private final PlannedStorage storage;
  private final PlannedLanes lanes;
  private final PlannedScans scans;
  private final PlannedFront front;

  CapacityPlan(PlanInputs inputs, Prices prices) {
    this.prices = prices;
    this.load = new PlannedLoad(inputs);
    this.storage = new PlannedStorage(load, prices);
    this.lanes = new PlannedLanes(load, storage, prices);
    this.scans = new PlannedScans(storage, prices);
    this.front = new PlannedFront(load, prices);
  }

  List<Section> sections() {
    return List.of(
        units(),
        storage.byKind(),
        storage.partitions(),
        new HotKeys(load).section(),
        lanes.section(),
        scans.section(),
        quotas().section(),
        new CelebrityThreshold(load, storage, scans, prices).section(),
        new OtherDesigns(load, prices).section());
  }

  /** Returns all limits of a key, a table, an account or a stage, with what the plan needs. */
  List<Limit> limits() {
    return Stream.concat(new HotKeys(load).limits().stream(), quotas().limits().stream()).toList();
  }

  private Quotas quotas() {
    return new Quotas(load, lanes, scans, front);
  }

  /** Returns the units of a day without those for pulled authors. */
  ConsumedUnits unitsOfActions() {
    return load.unitsOfActions();
  }

  private Section units() {
    var section =
        Section.of(
            "units and dollars by action",
            "action",
            "a second",
            "at peak",
            "read units each",
            "write units each",
            "reads/s",
            "writes/s",
            "dollars a month");
    double reads = 0;
    double writes = 0;
    for (var line : load.lines()) {
      section.row(
          line.name(),
          line.aDay() / DAY,
          line.aDay() / DAY * load.in().peak(),
          line.read(),
          line.write(),
          line.reads() / DAY,
          line.writes() / DAY,
          prices.units(line.reads(), line.writes()) * MONTH_DAYS);
      reads += line.reads();
      writes += line.writes();
    }
    var sweep = scans.sweep();
    section
        .row(
            sweep.name(),
            sweep.aDay() / DAY,
            "",
            sweep.read(),
            sweep.write(),
            sweep.reads() / DAY,
            sweep.writes() / DAY,
            scans.dollars())
        .row(
            "all units",
            "",
            "",
            "",
            "",
            (reads + sweep.reads()) / DAY,
            writes / DAY,
            prices.units(reads + sweep.reads(), writes) * MONTH_DAYS)
        .row("storage and backup", "", "", "", "", "", "", storage.dollars())
        .row("functions", "", "", "", "", "", "", lanes.dollars());
    front.addTo(section);
    return section
        .row("sum", "", "", "", "", "", "", dollars())
        .note(
            "Each action is costed as if its records were alone in their batches and nothing was"
                + " cached, so this is an upper bound.")
        .note(
            "Prices unless --price replaces them: "
                + Prices.SOURCE
                + ". Without free tiers and discounts.");
  }

  /** Returns the dollars of a month. */
  double dollars() {
    var units = load.unitsADay();
    return prices.units(units.read(), units.write()) * MONTH_DAYS
        + scans.dollars()
        + storage.dollars()
        + lanes.dollars()
        + front.dollars();
  }
}
