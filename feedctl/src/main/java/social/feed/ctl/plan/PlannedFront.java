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

  /** The default quotas of user pools ("Quotas in Amazon Cognito"). */
  private static final double TOKEN_REQUESTS = 120;

  private static final double POOL_MEMBERS = 40e6;

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
        new Limit("servers of the API in the stage prod", load.servers(), STAGE_SERVERS),
        new Limit(
            "sign-ins and refreshes of tokens a second at Cognito",
            tokenRequests(),
            TOKEN_REQUESTS),
        new Limit("members of a pool of Cognito", load.in().accounts(), POOL_MEMBERS));
  }

  /**
   * Returns the requests a second for tokens at peak: one for each hour in which a member comes,
   * because a token is valid for an hour. Each counts for Cognito's quota, whether it is a sign-in
   * or a refresh.
   */
  private double tokenRequests() {
    return load.in().daily() * (1 + load.in().a().hours()) / DAY * load.in().peak();
  }

  /** Adds a row for each price. */
  void addTo(Section section) {
    section
        .row("servers of the API", "", "", "", "", "", "", servers())
        .row("requests at the gateway", "", "", "", "", "", "", requests())
        .row("members in Cognito", "", "", "", "", "", "", members())
        .row("sign-ins and refreshes above Cognito's default", "", "", "", "", "", "", tokens())
        .note(
            "Assumed: a server of the API answers %s requests a second (--requests-of-a-server); there are %s."
                .formatted(Section.text(load.in().serverRequests()), Section.text(load.servers())))
        .note(
            "A member signs in or refreshes a token once in each hour of use, because a token is valid for 1 hour. Cognito is paid for what is above %s of these requests a second at peak."
                .formatted(Section.text(TOKEN_REQUESTS)));
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

  private double tokens() {
    return Math.max(0, tokenRequests() - TOKEN_REQUESTS) * prices.of(Price.TOKENS);
  }

  /** Returns the dollars of a month. */
  double dollars() {
    return servers() + requests() + members() + tokens();
  }
}
