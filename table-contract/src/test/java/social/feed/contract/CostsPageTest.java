package social.feed.contract;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.testkit.GeneratedPage;
import social.feed.testkit.UserAction;

/** The costs on the operations page are those that tests hold each deed to, added up. */
class CostsPageTest {
  private static final int PEOPLE = 1_000;
  private static final double DOLLARS_A_MILLION_READS = 0.125;
  private static final double DOLLARS_A_MILLION_WRITES = 0.625;
  private static final double MILLION = 1e6;
  private static final int DAYS = 30;

  @Test
  void costs_ofTheOperationsPage_areTheSumsOfTheDeeds() {
    GeneratedPage.named("operations.md").has("## What it costs\n", rendered());
  }

  private static String rendered() {
    var page = new StringBuilder();
    page.append(
        """

        Written by a test from [`Deed`](../testkit/src/main/java/social/feed/testkit/Deed.java); do not edit. In request units. Each figure is held to what the local engine reports, or to what the requests are counted to where it reports too little: by
        `ITDeedCosts` of `feed-api` and of `streams-multiplexer`, `ITWriteCost` and `ITCosts`. Each deed is taken for itself, in a batch of its own; of a hundred likes of one post within ten seconds the count costs 0.2 write units each, not 1.

        | somebody | read units | write units | reads behind the stream | writes behind the stream |
        |---|---|---|---|---|
        """);
    for (var deed : UserAction.values()) {
      page.append(
          "| %s | %s | %s | %s | %s |%n"
              .formatted(
                  deed.does(),
                  units(deed.request().read()),
                  units(deed.request().write()),
                  units(deed.behind().read()),
                  units(deed.behind().write())));
    }
    page.append(
        """

        A thousand people who do that every day:

        | deed | times a day and person | read units | write units |
        |---|---|---|---|
        """);
    for (var deed : UserAction.values()) {
      var cost = day(deed);
      page.append(
          "| %s | %d | %s | %s |%n"
              .formatted(deed.does(), deed.timesADay(), many(cost.read()), many(cost.write())));
    }
    var day = day();
    double dollars =
        day.read() * DOLLARS_A_MILLION_READS / MILLION
            + day.write() * DOLLARS_A_MILLION_WRITES / MILLION;
    page.append("| a day | | %s | %s |%n".formatted(many(day.read()), many(day.write())));
    page.append(
        String.format(
            Locale.ROOT,
            """

            That is %.2f dollars a day, %.0f a month, at %s for a million read units and %s for a million write units (on demand in us-east-1, when this was written; look them up). Rankings, `GET /v1/stream` and erasures are reckoned in
            ADRs [0013](adr/0013-rankings.md), [0015](adr/0015-live.md) and [0014](adr/0014-erasure.md), the gateways in [0017](adr/0017-two-gateways.md). The function, the API's tasks, the balancer, NAT and logs come on top, and weigh more than the table until there are some ten thousand readers.
            """,
            dollars,
            dollars * DAYS,
            DOLLARS_A_MILLION_READS,
            DOLLARS_A_MILLION_WRITES));
    return page.toString();
  }

  /** Of all people together. */
  private static ConsumedUnits day(UserAction deed) {
    double times = (double) PEOPLE * deed.timesADay();
    var once = deed.request().plus(deed.behind());
    return new ConsumedUnits(once.read() * times, once.write() * times);
  }

  private static ConsumedUnits day() {
    var sum = ConsumedUnits.NONE;
    for (var deed : UserAction.values()) {
      sum = sum.plus(day(deed));
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
