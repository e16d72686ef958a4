package social.feed.bounds;

import java.util.Locale;
import social.feed.testkit.cost.Bill;

/**
 * What an operation costs.
 *
 * @param calls the calls to DynamoDB
 * @param read the billed read units
 * @param write the billed write units
 */
record Work(double calls, double read, double write) {
  static final Work NONE = new Work(0, 0, 0);

  /** What of the work a formula describes. */
  enum Measure {
    CALLS,
    READ,
    WRITE;

    double of(Work work) {
      return switch (this) {
        case CALLS -> work.calls;
        case READ -> work.read;
        case WRITE -> work.write;
      };
    }

    String title() {
      return this == CALLS ? "calls" : name().toLowerCase(Locale.ROOT) + " units";
    }
  }

  static Work of(Bill.Total total) {
    return new Work(total.calls(), total.units().read(), total.units().write());
  }
}
