package social.feed.ctl.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.declaration.Index;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Tests of the page in a real browser: what the platform does below. It also takes the README's
 * pictures.
 */
@LongRunning
class ITBrowserXray extends DemoPage {
  /** Before the other tests, whose posts are no texts of the demo. */
  @BeforeAll
  void takePictures() {
    browser.scheme("light");
    browser.size(1280, 800);
    browser.open(ADA, "home");
    compose("One table, one request, and everything it did #dynamodb");
    platform.drain(PATIENCE);
    Polling.until(() -> rows().size() >= 8 && browser.text(".verdict").contains("last effect"));
    browser.script("scrollTo(0, 0)");
    picture("app");
    browser.script(
        "document.querySelector('.xray').scrollTo(0,"
            + " document.querySelector('.partitions').closest('.part').offsetTop - 10)");
    picture("xray");
    browser.scheme("dark");
    picture("dark");
    browser.scheme("light");
    browser.size(1440, 900);
  }

  @Test
  void xray_showsTheRowsThatAPlainClientFinds() {
    browser.open(ADA, "home");
    compose("Look through me #xray");
    platform.drain(PATIENCE);
    browser.await("[data-testid=xray-row] .chip.index");
    Polling.until(() -> rows().size() >= 8 && browser.text(".verdict").contains("last effect"));

    for (var row : rows()) {
      var item =
          plain.getItem(
              g ->
                  g.tableName(PlatformSettings.TABLE)
                      .consistentRead(true)
                      .key(
                          Map.of(
                              "PK", AttributeValue.fromS(row.pk()),
                              "SK", AttributeValue.fromS(row.sk()))));
      assertThat(item.hasItem()).as(row.toString()).isTrue();
    }
  }

  @Test
  void machineRoom_showsTheLanes_andCurves() {
    browser.open(ADA, "machine");

    browser.await("[data-testid=lanes] [data-lane=counts]");
    browser.await("[data-testid=lanes] [data-lane=effects]");
    browser.await(".curve polyline");
    picture("machine");
  }

  @Test
  void eachAccessPattern_runsItsQuery_andShowsItsAnswer() {
    browser.open(ADA, "patterns");
    for (var pattern : AccessPattern.values()) {
      var shown = "[data-pattern=" + pattern.id() + "]";
      browser.click(shown + " button:not(:disabled)");

      browser.await(shown + " .call");
      browser.await(shown + " details pre");
      var operation = pattern.path().split(" ", 2)[0];
      assertThat(browser.text(shown + " .call .op")).as(pattern.id()).isEqualTo(operation);
      assertThat(browser.text(shown + " .call .index"))
          .isEqualTo(pattern.index().map(Index::indexName).orElse("table"));
      if (!browser.text(shown + " .call").matches("(?s).*\\b0 items\\b.*")) {
        assertThat(browser.text(shown + " .call .cost")).doesNotContain("no units");
      }
      assertThat(browser.all(shown + " .error")).isEmpty();
    }
    picture("patterns");
  }

  @Test
  void table_lightsTheRowsOfTheLastAction() throws Exception {
    var id = post(BEN, "Light me up");
    platform.drain(PATIENCE);
    browser.open(ADA, "home");
    browser.click(item(id) + " [data-testid=like]");
    Polling.until(() -> rows().stream().anyMatch(row -> row.sk().startsWith("LIKE#")));

    browser.script("location.hash = '#/table'");

    browser.await("[data-testid=table] .lit[data-sk^=LIKE]");
    assertThat(browser.all("[data-testid=table] .stacked:not(.lit) .index")).isNotEmpty();
    assertThat(browser.all("[data-testid=table] .partition")).hasSizeGreaterThan(4);
    picture("table");
  }

  @Test
  void verification_findsNoDrift_andThenThePlantedOne() throws Exception {
    var id = post(BEN, "Count my likes");
    platform.drain(PATIENCE);
    browser.open(ADA, "machine");
    browser.click("[data-testid=verify]:not(:disabled)");
    Polling.until(() -> browser.text("[data-testid=verification]").contains("no drift."));
    browser.await("[data-testid=verification] [data-check]");

    addLikes(id, 7);
    platform.drain(PATIENCE);
    browser.click("[data-testid=verify]:not(:disabled)");

    Polling.until(() -> browser.text("[data-testid=verification]").contains("1 drift."));
    assertThat(browser.text("[data-testid=verification] tbody td.error[colspan]")).contains(id);
    picture("verification");
    addLikes(id, -7);
  }

  private void addLikes(String post, int likes) {
    plain.updateItem(
        u ->
            u.tableName(PlatformSettings.TABLE)
                .key(
                    Map.of(
                        "PK", AttributeValue.fromS("POST#" + post),
                        "SK", AttributeValue.fromS("META")))
                .updateExpression("ADD likes_count :likes")
                .expressionAttributeValues(
                    Map.of(":likes", AttributeValue.fromN(Integer.toString(likes)))));
  }

  @Test
  void delivery_isShown_andWhyAPostIsInAFeedOrNot() throws Exception {
    send("henrik_dahl", "DELETE", "/v1/users/" + BEN + "/follow", "");
    var id = post(BEN, "Where am I?");
    platform.drain(PATIENCE);
    browser.open(ADA, "post/" + id);

    Polling.until(() -> browser.text("[data-testid=delivery]").contains("delivered: written"));
    assertThat(browser.all("[data-testid=delivery] progress")).hasSize(1);
    browser.click("[data-testid=why]");
    Polling.until(() -> browser.text("[data-testid=reason]").startsWith("present"));
    browser.script(
        "const reader = document.querySelector('[data-testid=reader]');"
            + " reader.value = 'henrik_dahl'; reader.dispatchEvent(new Event('change'))");
    browser.click("[data-testid=why]");

    Polling.until(() -> browser.text("[data-testid=reason]").startsWith("not followed"));
    picture("delivery");
  }

  @Test
  void withoutTheXray_thePageSaysSo_andWorks() {
    try (var off = LocalPlatform.start(PlatformSettings.inMemory().withoutXray());
        var other = new Chromium(off.api())) {
      other.openAlone("home");
      Polling.until(() -> other.text("[data-testid=xray]").contains("The X-ray is off."));
      other.await("[data-testid=lanes] .lamp");

      assertThat(other.errors()).isEmpty();
    }
  }
}
