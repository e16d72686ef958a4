package social.feed.contract;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import social.feed.table.cost.UserAction;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.UnitPrices;
import social.feed.testkit.GeneratedPage;

/**
 * The costs on the operations page are the sums of the costs that tests assert for each user
 * action.
 */
class CostsPageTest {
  private static final int USERS = 1_000;
  private static final int DAYS = 30;

  @Test
  void costs_ofTheOperationsPage_areTheSumsOfTheActions() {
    GeneratedPage.named("operations.md").has("## What it costs\n", rendered());
  }

  private static String rendered() {
    var page = new StringBuilder();
    page.append(
        """

        A test generates this section from [`UserAction`](../table-design/src/main/java/social/feed/table/cost/UserAction.java); do not edit it. All figures are request units. Tests compare each figure with the units that a model of
        AWS's rules computes from the requests: `ITUserActionCosts` of `feed-api`, `ITEffectCosts` of `streams-multiplexer`, `ITWriteCost` and `ITCosts`. Each action is measured alone, with all its effects, in batches of its own. [At scale](at-scale.md) computes with the same figures. If a post receives
        a hundred likes within ten seconds, the count costs 0.2 write units a like instead of 1.

        | a user | read units | write units | read units behind the stream | write units behind the stream |
        |---|---|---|---|---|
        """);
    for (var action : UserAction.values()) {
      page.append(
          "| %s | %s | %s | %s | %s |%n"
              .formatted(
                  action.does(),
                  units(action.request().read()),
                  units(action.request().write()),
                  units(action.behind().read()),
                  units(action.behind().write())));
    }
    page.append(
        """

        The costs of a thousand daily users:

        | action | times a day and user | read units | write units |
        |---|---|---|---|
        """);
    for (var action : UserAction.values()) {
      if (action.timesADay() == 0) {
        continue;
      }
      var cost = day(action);
      page.append(
          "| %s | %d | %s | %s |%n"
              .formatted(action.does(), action.timesADay(), many(cost.read()), many(cost.write())));
    }
    var day = day();
    double dollars = UnitPrices.US_EAST_1.of(day);
    page.append("| total | | %s | %s |%n".formatted(many(day.read()), many(day.write())));
    page.append(
        String.format(
            Locale.ROOT,
            """

            The total is %.2f dollars a day and %.0f a month, at %s for a million read units and %s for a million write units (on-demand prices in us-east-1 at the time of writing; check the current ones). ADRs [0013](adr/0013-rankings.md),
            [0015](adr/0015-live.md) and [0030](adr/0030-shared-sweep.md) calculate the costs of rankings, `GET /v1/stream` and erasures, and [0017](adr/0017-two-gateways.md) those of the gateways. The function, the API's tasks, the balancer, NAT and logs cost
            extra. Up to about ten thousand readers, they cost more than the table.
            """,
            dollars,
            dollars * DAYS,
            UnitPrices.READS_IN_US_EAST_1,
            UnitPrices.WRITES_IN_US_EAST_1));
    return page.toString();
  }

  /** Returns the cost of one action by all users in a day. */
  private static ConsumedUnits day(UserAction action) {
    double times = (double) USERS * action.timesADay();
    var once = action.request().plus(action.behind());
    return new ConsumedUnits(once.read() * times, once.write() * times);
  }

  private static ConsumedUnits day() {
    var sum = ConsumedUnits.NONE;
    for (var action : UserAction.values()) {
      sum = sum.plus(day(action));
    }
    return sum;
  }

  private static String units(double units) {
    return units == Math.rint(units) ? Long.toString((long) units) : Double.toString(units);
  }

  private static String many(double units) {
    return String.format(Locale.ROOT, "%,.0f", units).replace(',', ' ');
  }
}
