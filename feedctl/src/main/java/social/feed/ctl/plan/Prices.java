package social.feed.ctl.plan;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.UnitPrices;

/** Prices in US dollars. Each can be replaced by {@code --price NAME=DOLLARS}. */
final class Prices {
  /** Where and when the default prices hold. */
  static final String SOURCE =
      "us-east-1, on demand, November 2026 (DynamoDB as reduced in November 2024; Cognito's plan"
          + " Essentials, which a pool has by default, and its requests as of January 2024)";

  /** A price, without free tiers, discounts for volume or commitments. */
  enum Price {
    WRITES(UnitPrices.WRITES_IN_US_EAST_1, "a million write request units"),
    READS(UnitPrices.READS_IN_US_EAST_1, "a million read request units"),
    STORAGE(0.25, "a GB of table or index and month"),
    BACKUP(0.20, "a GB of the table and month for point-in-time recovery"),
    INVOCATIONS(0.20, "a million invocations of a function"),
    COMPUTE(0.0000133334, "a GB-second of a function on ARM"),
    SERVER(28.84, "a server of 1 vCPU and 2 GB on ARM and month of 730 hours"),
    REQUESTS(1.00, "a million requests at the gateway, an HTTP API"),
    MEMBERS(0.015, "a member who signs in or refreshes a token in a month"),
    TOKENS(20.0, "a request a second to sign in or refresh, above Cognito's default, and month");

    private final double dollars;
    private final String unit;

    Price(double dollars, String unit) {
      this.dollars = dollars;
      this.unit = unit;
    }

    String unit() {
      return unit;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Map<Price, Double> dollars = new EnumMap<>(Price.class);

  Prices(Map<Price, Double> replaced) {
    for (var price : Price.values()) {
      dollars.put(price, replaced.getOrDefault(price, price.dollars));
    }
  }

  double of(Price price) {
    return dollars.getOrDefault(price, 0.0);
  }

  /** Returns the price of request units. */
  double units(double read, double write) {
    return new UnitPrices(of(Price.READS), of(Price.WRITES)).of(new ConsumedUnits(read, write));
  }
}
