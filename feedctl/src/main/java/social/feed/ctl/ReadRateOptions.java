package social.feed.ctl;

import picocli.CommandLine.Option;
import social.feed.table.kernel.cost.UnitRateLimiter;
import social.feed.table.kernel.store.Table;

/** How fast a command may walk through a table of AWS. */
final class ReadRateOptions {
  @Option(
      names = "--read-units",
      defaultValue = "500",
      description =
          "with --region: read units a second at most, so that others are not held up (default:"
              + " ${DEFAULT-VALUE})")
  private double readUnits = 500;

  /** Whether that is any pace at all. */
  boolean isValid() {
    return readUnits > 0;
  }

  /** The table, at this pace where it is one of AWS. */
  Table open(TableOptions table) {
    return table.isOfAws() ? table.open(new UnitRateLimiter(readUnits)) : table.open();
  }
}
