package social.feed.table.kernel.cost;

/**
 * Prices of request units in dollars.
 *
 * @param millionReads the price of a million read units
 * @param millionWrites the price of a million write units
 */
public record UnitPrices(double millionReads, double millionWrites) {
  /** A million read units on demand in us-east-1, at the time of writing. */
  public static final double READS_IN_US_EAST_1 = 0.125;

  /** A million write units on demand in us-east-1, at the time of writing. */
  public static final double WRITES_IN_US_EAST_1 = 0.625;

  /** The on-demand prices in us-east-1, at the time of writing. */
  public static final UnitPrices US_EAST_1 =
      new UnitPrices(READS_IN_US_EAST_1, WRITES_IN_US_EAST_1);

  private static final double MILLION = 1e6;

  /** Returns the price of some units in dollars. */
  public double of(ConsumedUnits units) {
    return units.read() * millionReads / MILLION + units.write() * millionWrites / MILLION;
  }
}
