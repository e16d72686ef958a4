package social.feed.ctl.plan;

import static social.feed.ctl.plan.PlannedLoad.DAY;
import static social.feed.ctl.plan.PlannedLoad.MONTH_DAYS;

import java.util.List;
import social.feed.ctl.plan.Prices.Price;

/** What is in front of the table and costs no units: servers, the gateway, and Cognito. */
final class PlannedFront {
  private static final double MILLION = 1e6;

  /** A deployment starts new servers next to the old ones, with a processor each. */
  private static final double VCPUS_IN_A_DEPLOYMENT = 2;

  /** What a new account may have ({@code docs/operations.md}, "Prepare an account"). */
  private static final double VCPUS_OF_AN_ACCOUNT = 6;

  /** The default quota of an account, and of the input {@code gatewayRequests}. */
  private static final double GATEWAY_REQUESTS = 10_000;

  /** Of the stage {@code prod} in {@code infra/cdk}, which this module does not depend on. */
  private static final double STAGE_SERVERS = 30;

  private final PlannedLoad load;
  private final Prices prices;

  PlannedFront(PlannedLoad load, Prices prices) {
    this.load = load;
    this.prices = prices;
  }

  List<Limit> limits() {
    return List.of(
        new Limit(
            "requests a second at the gateway (account, and stage prod)",
            load.requestsADay() / DAY * load.in().peak(),
            GATEWAY_REQUESTS),
        new Limit(
            "vCPUs of Fargate of a new account, two for each server",
            load.servers() * VCPUS_IN_A_DEPLOYMENT,
            VCPUS_OF_AN_ACCOUNT),
        new Limit("servers of the API in the stage prod", load.servers(), STAGE_SERVERS));
  }

  /** Adds a row for each price. */
  void addTo(Section section) {
    section
        .row("servers of the API", "", "", "", "", "", "", servers())
        .row("requests at the gateway", "", "", "", "", "", "", requests())
        .row("members in Cognito", "", "", "", "", "", "", members())
        .note(
            "Assumed: a server of the API answers %s requests a second (--requests-of-a-server); there are %s."
                .formatted(Section.text(load.in().serverRequests()), Section.text(load.servers())));
  }

  private double servers() {
    return load.servers() * prices.of(Price.SERVER);
  }

  private double requests() {
    return load.requestsADay() * MONTH_DAYS / MILLION * prices.of(Price.REQUESTS);
  }

  private double members() {
    return load.in().users() * prices.of(Price.MEMBERS);
  }

  /** Returns the dollars of a month. */
  double dollars() {
    return servers() + requests() + members();
  }
}
