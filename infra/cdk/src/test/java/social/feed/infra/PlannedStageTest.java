package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import social.feed.testkit.GeneratedPage;

/**
 * {@code ./feed plan} knows the limits of the stage {@code prod} without this module. Its output on
 * the page about scale shows the ones that it knows.
 */
class PlannedStageTest {
  private static void hasLimit(String name, int limit) throws IOException {
    assertThat(page()).contains("| %s | %s | ".formatted(name, spaced(limit)));
  }

  private static String page() throws IOException {
    return Files.readString(GeneratedPage.root().resolve("docs").resolve("at-scale.md"));
  }

  private static String spaced(int number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
  }

  @Test
  void plan_knowsTheLimitsOfProduction() throws IOException {
    hasLimit("maximum read units of the stage prod", Stage.PROD.unitsMax());
    hasLimit("maximum write units of the stage prod", Stage.PROD.unitsMax());
    hasLimit("reserved concurrency of the counts lane in prod", Stage.PROD.countsConcurrency());
    hasLimit(
        "read units a second of the sweep for erasures in prod, to scan in five days",
        Stage.PROD.erasureSweepUnits());
    hasLimit(
        "requests a second at the gateway (account, and stage prod)",
        GatewayRate.OF_AN_ACCOUNT.requests());
    hasLimit("servers of the API in the stage prod", Stage.PROD.tasksMax());
    hasLimit(
        "sign-ins and refreshes of tokens a second at Cognito",
        AccountTest.needed("L-026ADBA3", Stage.PROD, ApiKind.SERVICE));
  }

  /** A member needs a token for each hour of use. */
  @Test
  void plan_knowsHowLongATokenIsValid() throws IOException {
    assertThat(page())
        .contains(
            "because a token is valid for %s hour."
                .formatted(UserPoolResource.ACCESS.toHours().longValue()));
  }

  /** A million users need fewer servers than the stage always has. */
  @Test
  void plan_hasTheLeastServersOfProduction() throws IOException {
    assertThat(page())
        .contains(
            "reads the registry of pulled authors, on %d servers |"
                .formatted(Stage.PROD.tasksMin()));
  }
}
