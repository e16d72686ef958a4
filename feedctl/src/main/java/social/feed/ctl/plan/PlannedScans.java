package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.DAY;
import static social.feed.ctl.plan.PlannedLoad.MONTH_DAYS;

import social.feed.table.erasure.ErasureSweeps;

/** What reads the whole table: the sweep for erasures, and the commands of operators. */
final class PlannedScans {
  /** From six days on, an erasure may take longer than a month. */
  private static final double SCAN_DAYS = 5;

  /** Of a sweep in the stage {@code prod}, and the default of {@code --read-units}. */
  static final double UNITS = 500;

  private final PlannedStorage storage;
  private final Prices prices;

  PlannedScans(PlannedStorage storage, Prices prices) {
    this.storage = storage;
    this.prices = prices;
  }

  /** Returns the read units a second of a sweep that ends in five days. */
  double sweepUnitsASecond() {
    return storage.walkedUnits() / (SCAN_DAYS * DAY);
  }

  /** Returns the sweeps of a day. A sweep runs only while an erasure waits for it. */
  static double sweepsADay() {
    return 1.0 / ErasureSweeps.MAX_PERIOD.toDays();
  }

  /** Returns the dollars of a month for sweeps. The commands of operators are not in the sum. */
  double dollars() {
    return dollars(storage.walkedUnits());
  }

  /** Returns the part of it for the entries at a threshold. */
  double dollarsOfEntries(double threshold) {
    return dollars(storage.walkedUnitsOfEntries(threshold));
  }

  private double dollars(double walkedUnits) {
    return prices.units(walkedUnits * sweepsADay() * MONTH_DAYS, 0);
  }

  /** Returns the sweep as a line of the bill. */
  PlannedLoad.Line sweep() {
    return new PlannedLoad.Line(
        "sweeps the table for erasures, once a week while one is pending",
        sweepsADay(),
        storage.walkedUnits(),
        0);
  }

  Section section() {
    var section =
        Section.of(
            "reads of the whole table",
            "what",
            "read units each",
            "dollars each",
            "days at 500 units a second",
            "units a second to end in five days");
    row(section, "the sweep for erasures", storage.walkedUnits());
    row(section, "./feed erasure --prove", storage.walkedUnits());
    row(section, "./feed verify", storage.verifiedUnits());
    return section.note(
        "The sum has one sweep a week, and no command. ./feed verify reads the table once, and for"
            + " each row the rows related to it by their keys. 500 units a second are the limit of"
            + " a sweep in prod and the default of --read-units.");
  }

  private void row(Section section, String what, double units) {
    section.row(
        what, units, prices.units(units, 0), units / UNITS / DAY, units / (SCAN_DAYS * DAY));
  }
}
