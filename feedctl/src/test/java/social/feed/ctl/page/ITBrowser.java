package social.feed.ctl.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import social.feed.ctl.PlatformVerifier;
import social.feed.ctl.demo.DemoWorld;
import social.feed.ctl.load.ApiCalls;
import social.feed.engine.EngineClients;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.testkit.Polling;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tests the page in a real browser, on the demo world. It also takes the README's pictures. */
@TestInstance(Lifecycle.PER_CLASS)
class ITBrowser {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ADA = "ada_okafor";
  private static final String BEN = "ben_larsen";
  private static final Set<String> IN_README = Set.of("app", "xray");
  private static final String FIRST_TEXT = "[data-testid=feed] [data-testid=feed-item] .text";

  private LocalPlatform platform;
  private DynamoDbClient plain;
  private ApiCalls api;
  private Chromium browser;

  @BeforeAll
  void start() throws Exception {
    platform =
        LocalPlatform.start(
            PlatformSettings.inMemory().withCelebritiesFrom(DemoWorld.CELEBRITY_THRESHOLD));
    platform.verifyWith(new PlatformVerifier(platform, DemoWorld.CELEBRITY_THRESHOLD));
    plain = EngineClients.dynamoDb(platform.dynamodb());
    var table =
        new Table(platform.engine().directClient(), PlatformSettings.TABLE, Retry.standard());
    assertThat(new DemoWorld(table, Instant.now()).create()).isTrue();
    platform.drain(PATIENCE);
    api = new ApiCalls(platform.api(), Map.of());
    send(ADA, "POST", "/v1/users/" + BEN + "/follow", "");
    platform.drain(PATIENCE);
    browser = new Chromium(platform.api());
    browser.size(1440, 900);
    takePictures();
  }

  /** Before the other tests, whose posts are no texts of the demo. */
  private void takePictures() {
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

  @AfterAll
  void stop() {
    browser.close();
    api.close();
    plain.close();
    platform.close();
  }

  @AfterEach
  void consoleIsClean() {
    browser.closeOthers();
    browser.offline(false);
    browser.size(1440, 900);
    assertThat(browser.errors())
        .allMatch(error -> error.contains("net::ERR_INTERNET_DISCONNECTED"));
  }

  private ApiCalls.Answer send(String account, String method, String path, String body)
      throws IOException, InterruptedException {
    api.signIn(account);
    var answer = api.send(account, method, path, body);
    assertThat(answer.isOk()).as(answer.body()).isTrue();
    return answer;
  }

  private String post(String account, String text) throws IOException, InterruptedException {
    return send(account, "POST", "/v1/posts", "{\"text\":\"" + text + "\"}").id();
  }

  private void compose(String text) {
    browser.await("[data-testid=compose-text]").sendKeys(text);
    browser.click("[data-testid=compose-send]:not(:disabled)");
  }

  private static String item(String id) {
    return "[data-testid=feed] [data-testid=feed-item][data-post-id=\"" + id + "\"]";
  }

  @Test
  void postInOneWindow_appearsInTheFeedOfAnother_withoutReload() {
    browser.open(ADA, "home");
    browser.script("window.isTheSame = true");
    var ada = browser.openWindow();
    browser.open(BEN, "home");
    compose("Seen from the other window");
    Polling.until(() -> browser.text(FIRST_TEXT).equals("Seen from the other window"));

    browser.switchTo(ada);

    Polling.until(() -> browser.text(FIRST_TEXT).equals("Seen from the other window"));
    assertThat(browser.script("return window.isTheSame")).isEqualTo(true);
  }

  @Test
  void imageOfAPost_isUploadedAndShown(@TempDir Path folder) throws IOException {
    var file = folder.resolve("cat.png");
    ImageIO.write(new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    browser.open(ADA, "home");
    browser.await("[data-testid=compose-media]").sendKeys(file.toString());
    browser.await(".attachment input").sendKeys("A cat");
    compose("Look at my cat");

    var image = "document.querySelector('[data-testid=image]')";
    Polling.until(() -> browser.script("return " + image + "?.naturalWidth ?? 0").equals(40L));
    assertThat(browser.script("return " + image + ".alt")).isEqualTo("A cat");
    assertThat(browser.script("return document.querySelectorAll('.attachment').length"))
        .isEqualTo(0L);
  }

  private List<String> found(String words) {
    try {
      return send(BEN, "GET", "/v1/search/posts?q=" + words, "").ids();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void imageOfAPost_isFoundBySearch_untilThePostIsDeleted(@TempDir Path folder) throws Exception {
    var file = folder.resolve("mill.png");
    ImageIO.write(new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    browser.open(ADA, "home");
    browser.await("[data-testid=compose-media]").sendKeys(file.toString());
    browser.await(".attachment input").sendKeys("A mill");
    compose("A windmill behind the dunes");
    platform.drain(PATIENCE);
    Polling.until(() -> !found("windmill").isEmpty());
    var id = found("windmill").getFirst();
    var image = "[data-testid=found-posts] [data-testid=image]";
    browser.open(BEN, "explore");
    browser.await("[data-testid=search-words]").sendKeys("windmill");
    browser.click("[data-testid=search-send]");
    Polling.until(() -> !browser.all(image).isEmpty());

    send(ADA, "DELETE", "/v1/posts/" + id, "");

    browser.open(BEN, "explore");
    browser.open(BEN, "search/windmill");
    Polling.until(
        () ->
            browser
                .script(
                    "return document.querySelector('[data-testid=found-posts]')?.innerText ?? ''")
                .toString()
                .contains("No public post has all"));
    assertThat(browser.all(image)).isEmpty();
  }

  @Test
  void picturesOfTheProfile_areSetShownAndRemoved(@TempDir Path folder) throws IOException {
    var file = folder.resolve("me.png");
    ImageIO.write(new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    var avatar = "document.querySelector('.profile .avatar img')";
    browser.open(ADA, "u/" + ADA);

    browser.await("[data-testid=set-avatar]").sendKeys(file.toString());
    Polling.until(() -> browser.script("return " + avatar + "?.naturalWidth ?? 0").equals(40L));
    browser.await("[data-testid=set-banner]").sendKeys(file.toString());
    Polling.until(
        () ->
            browser
                .script("return document.querySelector('[data-testid=banner]')?.naturalWidth ?? 0")
                .equals(40L));

    browser.open(BEN, "u/" + ADA);
    Polling.until(() -> browser.script("return " + avatar + "?.naturalWidth ?? 0").equals(40L));
    assertThat(
            browser.script("return document.querySelectorAll('[data-testid=set-avatar]').length"))
        .isEqualTo(0L);

    browser.open(ADA, "u/" + ADA);
    browser.click("[data-testid=remove-avatar]:not(:disabled)");
    Polling.until(() -> browser.script("return " + avatar + " === null").equals(true));
    browser.click("[data-testid=remove-banner]:not(:disabled)");
    Polling.until(
        () ->
            browser
                .script("return document.querySelector('[data-testid=banner]') === null")
                .equals(true));
  }

  @Test
  void search_findsPostsWithTheirWordsMarked_andAccounts() throws Exception {
    var id = post(BEN, "A lighthouse & an #island, seen from the sea");
    platform.drain(PATIENCE);
    browser.open(ADA, "explore");
    Polling.until(
        () -> {
          browser.await("[data-testid=search-words]").clear();
          browser.await("[data-testid=search-words]").sendKeys("LIGHTHOUSE island");
          browser.click("[data-testid=search-send]");
          browser.awaitGone("[aria-busy=true]");
          return !browser.all("[data-testid=found-posts] [data-post-id=\"" + id + "\"]").isEmpty();
        });

    assertThat(browser.all("[data-testid=found-posts] mark"))
        .extracting(WebElement::getText)
        .containsExactly("lighthouse", "island");
    assertThat(browser.text("[data-testid=found-posts] a mark")).isEqualTo("island");
    browser.open(ADA, "search/larsn");
    browser.awaitGone("[aria-busy=true]");
    assertThat(browser.text("[data-testid=found-accounts] .handle")).isEqualTo("@" + BEN);
  }

  @Test
  void unreadNumber_growsByItself_andIsZeroOnceAllIsRead() throws Exception {
    var id = post(ADA, "Count me");
    platform.drain(PATIENCE);
    browser.open(ADA, "notifications");
    browser.click("[data-testid=read-all]:not(:disabled)");
    Polling.until(() -> browser.text("[data-testid=unread]").equals("0"));

    send(BEN, "POST", "/v1/posts/" + id + "/like", "");

    Polling.until(() -> browser.text("[data-testid=unread]").equals("1"));
    browser.click("[data-testid=read-all]:not(:disabled)");
    Polling.until(() -> browser.text("[data-testid=unread]").equals("0"));
  }

  @Test
  void like_isShownAtOnce_andInTheAnswerOfTheApi() throws Exception {
    var id = post(BEN, "Like me");
    platform.drain(PATIENCE);
    browser.open(ADA, "home");

    browser.click(item(id) + " [data-testid=like]");

    browser.await(item(id) + " [data-testid=like][aria-pressed=true]");
    Polling.until(() -> rows().stream().anyMatch(row -> row.sk().startsWith("LIKE#")));
    assertThat(send(ADA, "GET", "/v1/posts/" + id, "").tree().at("/viewer/liked").asBoolean())
        .isTrue();
  }

  @Test
  void block_hidesAtOnce() throws Exception {
    send("emi_tanaka", "POST", "/v1/users/farah_haddad/follow", "");
    var id = post("farah_haddad", "Not for long");
    platform.drain(PATIENCE);
    browser.open("emi_tanaka", "home");
    browser.click(item(id) + " .menu button");

    browser.click(item(id) + " [data-testid=block]");

    browser.awaitGone(item(id));
    browser.open("emi_tanaka", "home");
    assertThat(browser.all(item(id))).isEmpty();
  }

  private record ShownRow(String pk, String sk) {}

  private List<ShownRow> rows() {
    var found =
        (List<?>)
            browser.script(
                "return [...document.querySelectorAll('[data-testid=xray-row]')]"
                    + ".map(row => row.dataset.pk + '\\n' + row.dataset.sk)");
    return found.stream()
        .map(row -> String.valueOf(row).split("\n", 2))
        .map(key -> new ShownRow(key[0], key[1]))
        .toList();
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
  void lostConnection_saysSo_andLosesNothing() throws Exception {
    browser.open(ADA, "home");
    var before = post(BEN, "Before the tunnel");
    browser.await(item(before));

    browser.offline(true);
    browser.await(".lost");
    var during = List.of(post(BEN, "In the tunnel, one"), post(BEN, "In the tunnel, two"));
    platform.drain(PATIENCE);
    browser.offline(false);

    browser.awaitGone(".lost");
    for (var id : during) {
      browser.await(item(id));
      assertThat(browser.all(item(id))).hasSize(1);
    }
    assertThat(browser.all(item(before))).hasSize(1);
  }

  @Test
  void hostileText_isText() throws Exception {
    var hostile = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>";
    api.signIn("mallory");
    assertThat(
            api.send(
                    "mallory",
                    "POST",
                    "/v1/users",
                    "{\"handle\":\"mallory\",\"display_name\":\"<b onclick=alert(1)>M</b>\"}")
                .isOk())
        .isTrue();
    send("grace_lee", "POST", "/v1/users/mallory/follow", "");
    var id = post("mallory", hostile);
    send("mallory", "POST", "/v1/posts/" + id + "/comments", "{\"text\":\"<i>c</i>\"}");
    platform.drain(PATIENCE);
    browser.open("grace_lee", "home");

    browser.await(item(id));
    assertThat(browser.text(item(id) + " .text")).isEqualTo(hostile);
    assertThat(browser.text(item(id) + " .name")).isEqualTo("<b onclick=alert(1)>M</b>");
    browser.click(item(id) + " footer button:nth-of-type(2)");
    browser.await(item(id) + " .comment");
    assertThat(browser.text(item(id) + " .comment .text")).isEqualTo("<i>c</i>");
    browser.open("mallory", "u/mallory");
    browser.await("h1 bdi");
    assertThat(browser.text("h1")).isEqualTo("<b onclick=alert(1)>M</b>");
    assertThat(browser.script("return window.hacked ?? 0")).isEqualTo(0L);
  }

  @Test
  void keyboard_isEnough_toPostAndToLike() {
    browser.open(BEN, "home");
    tabTo("compose-text");
    browser.focused().sendKeys("Written without a mouse", Keys.chord(Keys.CONTROL, Keys.ENTER));
    Polling.until(() -> browser.text(FIRST_TEXT).equals("Written without a mouse"));

    tabTo("like");
    browser.focused().sendKeys(Keys.SPACE);

    browser.await("[data-testid=feed-item] [data-testid=like][aria-pressed=true]");
  }

  private void tabTo(String testId) {
    for (int i = 0; i < 60; i++) {
      browser.focused().sendKeys(Keys.TAB);
      if (testId.equals(browser.focused().getDomAttribute("data-testid"))) {
        return;
      }
    }
    throw new AssertionError(testId + " cannot be reached with the keyboard");
  }

  @Test
  void nextPage_isReadFromTheButton() {
    browser.open(ADA, "home");
    int before = browser.all("[data-testid=feed-item]").size();

    browser.click("[data-testid=feed] > .wide");

    Polling.until(() -> browser.all("[data-testid=feed-item]").size() > before);
  }

  private static final List<String> ROOMS =
      List.of(
          "home",
          "notifications",
          "explore",
          "u/nova_sterling",
          "tag/dynamodb",
          "search/dynamodb",
          "machine",
          "patterns",
          "table");

  @ParameterizedTest
  @CsvSource({"light, 1440", "dark, 1440", "light, 360"})
  void axe_findsNothing(String scheme, int width) throws Exception {
    var axe = new String(resource("/axe.min.js"), StandardCharsets.UTF_8);
    browser.scheme(scheme);
    browser.size(width, 900);
    for (var room : ROOMS) {
      browser.open(ADA, room);
      browser.awaitGone("[aria-busy=true]");
      if (room.equals("home")) {
        browser.click("[data-testid=feed] [data-testid=like]");
        Polling.until(() -> !rows().isEmpty());
      }
      browser.script(axe);
      var found =
          browser.asyncScript(
              "const done = arguments[0]; axe.run().then(found => done(found.violations"
                  + ".map(each => each.id + ': ' + each.nodes.map(node => node.html).join(' | '))))");
      assertThat((List<?>) found).as(room + " " + scheme + " " + width).isEmpty();
    }
    browser.scheme("light");
  }

  private static byte[] resource(String name) throws IOException {
    try (var in = Objects.requireNonNull(ITBrowser.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "home",
        "notifications",
        "explore",
        "u/nova_sterling/followers",
        "tag/dynamodb",
        "search/dynamodb",
        "machine",
        "patterns",
        "table"
      })
  void narrowScreen_needsNoScrollingToTheSide(String room) {
    browser.size(360, 740);
    browser.open(ADA, room);
    browser.awaitGone("[aria-busy=true]");

    assertThat((Long) browser.script("return document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(360L);
    if (room.equals("home")) {
      picture("narrow");
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

  /** The page reads the accounts when there are new ones, and not again and again. */
  @Test
  void accountOfAnotherClient_canBeChosen() throws Exception {
    browser.open(ADA, "home");
    api.signIn("newcomer");
    assertThat(
            api.send(
                    "newcomer",
                    "POST",
                    "/v1/users",
                    "{\"handle\":\"newcomer\",\"display_name\":\"New\"}")
                .isOk())
        .isTrue();

    browser.await("[data-testid=acting-as] option[value=newcomer]");
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

  /** An address may come from a link of another page. */
  @ParameterizedTest
  @ValueSource(strings = {"%", "constructor", "__proto__/x"})
  void addressOfNoRoom_showsTheFeed(String room) {
    browser.open(ADA, room);

    browser.await("[data-testid=feed] [data-testid=feed-item]");
    assertThat(browser.all(".failure")).isEmpty();
  }

  /** With {@code -Dgoldens.update=true} also into the documents, smaller. */
  private void picture(String name) {
    browser.picture(Path.of("target", "pictures", name + ".png"), "png");
    if (Boolean.getBoolean("goldens.update") && IN_README.contains(name)) {
      browser.picture(Path.of("..", "docs", "pictures", name + ".jpg"), "jpeg");
    }
  }

  /** Proves that an error of the console is found. */
  @Test
  void errorOfTheConsole_isFound() {
    browser.open(ADA, "home");
    browser.script("console.error('planted')");

    assertThat(browser.errors()).anyMatch(error -> error.contains("planted"));
  }
}
