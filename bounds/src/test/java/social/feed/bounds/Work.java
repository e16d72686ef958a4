package social.feed.bounds;

import java.util.Locale;
import social.feed.testkit.cost.Bill;

/**
 * What an operation costs.
 *
 * @param calls the calls to DynamoDB
 * @param read the billed read units
 * @param write the billed write units
 * @param messages what is put on the queue of the sinks, and what a sink sends to its own system
 */
record Work(double calls, double read, double write, double messages) {
  static final Work NONE = new Work(0, 0, 0);

  Work(double calls, double read, double write) {
    this(calls, read, write, 0);
  }

  /** What of the work a formula describes. */
  enum Measure {
    CALLS,
    READ,
    WRITE,
    MESSAGES;

    double of(Work work) {
      return switch (this) {
        case CALLS -> work.calls;
        case READ -> work.read;
        case WRITE -> work.write;
        case MESSAGES -> work.messages;
      };
    }

    String title() {
      var name = name().toLowerCase(Locale.ROOT);
      return this == READ || this == WRITE ? name + " units" : name;
    }
  }

  static Work of(Bill.Total total, long messages) {
    return new Work(total.calls(), total.units().read(), total.units().write(), messages);
  }
}
