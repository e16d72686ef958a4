package social.feed.ctl;

import picocli.CommandLine.Option;
import social.feed.table.kernel.cost.UnitRateLimiter;
import social.feed.table.kernel.store.Table;

/** Options that limit the read rate of a scan of a table of AWS. */
final class ReadRateOptions {
  @Option(
      names = "--read-units",
      defaultValue = "500",
      description =
          "with --region: the most read units a second, so that the scan does not slow down others"
              + " (default: ${DEFAULT-VALUE})")
  private double readUnits = 500;

  /** Returns whether the rate is valid. */
  boolean isValid() {
    return readUnits > 0;
  }

  /** Opens the table; limits the rate if it is one of AWS. */
  Table open(TableOptions table) {
    return table.isOfAws() ? table.open(new UnitRateLimiter(readUnits)) : table.open();
  }
}
