package social.feed.table.kernel.cost;

/**
 * Request units as reported by DynamoDB, indexes included.
 *
 * @param read read request units
 * @param write write request units
 */
public record ConsumedUnits(double read, double write) {
  public static final ConsumedUnits NONE = new ConsumedUnits(0, 0);

  public ConsumedUnits plus(ConsumedUnits other) {
    return new ConsumedUnits(read + other.read, write + other.write);
  }
}
