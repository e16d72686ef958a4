package social.feed.ctl.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;

/** Tests of the page in a real browser: what a user of the platform sees. */
@LongRunning
class ITBrowser extends DemoPage {
  private static final String ALL_RULES = "";
  private static final String RULES_OF_COLORS =
      "{runOnly: ['color-contrast', 'link-in-text-block']}";

  private static final String FIRST_TEXT = "[data-testid=feed] [data-testid=feed-item] .text";

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
    var width = "return document.querySelector('" + image + "')?.naturalWidth ?? 0";
    browser.open(BEN, "explore");
    browser.await("[data-testid=search-words]").sendKeys("windmill");
    browser.click("[data-testid=search-send]");
    // A browser that loads it later finds none, which is an error of the console.
    Polling.until(() -> browser.script(width).equals(40L));

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
  void searchOfAccounts_hasMorePages() throws Exception {
    for (int i = 0; i < 7; i++) {
      var handle = "finch_" + i;
      var account = "{\"handle\":\"%s\",\"display_name\":\"Zebrafinch\"}".formatted(handle);
      send(handle, "POST", "/v1/users", account);
    }
    platform.drain(PATIENCE);
    var handles = "[data-testid=found-accounts] .handle";
    var more = "[data-testid=found-accounts] button.wide";
    Polling.until(
        () -> {
          browser.open(ADA, "explore");
          browser.open(ADA, "search/zebrafinch");
          browser.awaitGone("[aria-busy=true]");
          return browser.all(handles).size() == 5 && !browser.all(more).isEmpty();
        });

    Polling.until(
        () -> {
          if (!browser.all(more).isEmpty()) {
            browser.click(more);
            browser.awaitGone("[aria-busy=true]");
          }
          return browser.all(handles).size() == 7;
        });

    assertThat(browser.all(handles)).extracting(WebElement::getText).doesNotHaveDuplicates();
    assertThat(browser.all(more)).isEmpty();
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
  void commentThatIsSentTwiceAtOnce_isWrittenOnce() throws Exception {
    var id = post(BEN, "Comment on this");
    browser.open(BEN, "home");
    browser.await(item(id));
    browser.click(item(id) + " footer button:nth-of-type(2)");
    browser.await(item(id) + " [data-testid=comment-text]").sendKeys("once");
    browser.script(
        "const form = document.querySelector('[data-testid=comment-send]').form;"
            + "form.requestSubmit(); form.requestSubmit()");
    browser.await(item(id) + " .comment");
    Polling.until(
        () ->
            browser
                .script("return document.querySelector('[data-testid=comment-send]').disabled")
                .equals(false));
    browser.await(item(id) + " [data-testid=comment-text]").sendKeys("after", Keys.ENTER);
    Polling.until(() -> browser.all(item(id) + " .comment").size() > 1);

    assertThat(send(BEN, "GET", "/v1/posts/" + id + "/comments", "").ids()).hasSize(2);
  }

  @Test
  void visibilityOfADraft_isShownWhenTheRoomIsOpenedAgain() {
    browser.open(BEN, "home");
    browser.await(".compose select").sendKeys("Only me");
    browser.script("location.hash = '#/explore'");
    browser.await("[data-testid=search-words]");
    browser.script("location.hash = '#/home'");
    browser.await(".compose select");

    Polling.until(
        () ->
            browser
                .script("return document.querySelector('.compose select').value")
                .equals("private"));
    browser.await(".compose select").sendKeys("Public");
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

  /**
   * In both schemes and on a narrow screen, without a new start of the page. The dark scheme has
   * other colors and nothing else.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "home",
        "notifications",
        "explore",
        "u/nova_sterling",
        "u/nova_sterling/followers",
        "tag/dynamodb",
        "search/dynamodb",
        "machine",
        "patterns",
        "table"
      })
  void room_isAccessible_andNeedsNoScrollingToTheSide(String room) throws Exception {
    browser.open(ADA, room);
    browser.awaitGone("[aria-busy=true]");
    if (room.equals("home")) {
      browser.click("[data-testid=feed] [data-testid=like]");
      Polling.until(() -> !rows().isEmpty());
    }
    loadAxe();
    assertThat(violations(ALL_RULES)).as("light").isEmpty();
    browser.scheme("dark");
    assertThat(violations(RULES_OF_COLORS)).as("dark").isEmpty();

    browser.scheme("light");
    browser.size(360, 740);
    assertThat(violations(ALL_RULES)).as("narrow").isEmpty();
    assertThat((Long) browser.script("return document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(360L);
    if (room.equals("home")) {
      browser.script("scrollTo(0, 0)");
      picture("narrow");
    }
  }

  /** Proves that a fault is found, also one of the dark scheme only. */
  @Test
  void faultsOfAccess_areFound() throws Exception {
    browser.open(ADA, "home");
    loadAxe();
    browser.script(
        """
        const image = document.createElement('img');
        image.src = '/page/icon.svg';
        const text = document.createElement('p');
        text.id = 'planted';
        text.textContent = 'Hard to read';
        document.body.append(image, text);
        const style = text.style;
        style.color = 'light-dark(black, #777)';
        style.background = 'light-dark(white, #888)';
        """);

    assertThat(violations(ALL_RULES)).anyMatch(fault -> fault.startsWith("image-alt: "));
    assertThat(violations(RULES_OF_COLORS)).isEmpty();
    browser.scheme("dark");
    assertThat(violations(RULES_OF_COLORS)).anyMatch(fault -> fault.contains("id=\"planted\""));
  }

  private void loadAxe() throws IOException {
    browser.script(new String(resource("/axe.min.js"), StandardCharsets.UTF_8));
  }

  private List<String> violations(String options) {
    var found =
        (List<?>)
            browser.asyncScript(
                ("const done = arguments[0]; axe.run(%s).then(found => done(found.violations"
                        + ".map(each => each.id + ': ' + each.nodes.map(node => node.html).join(' | '))))")
                    .formatted(options));
    return found.stream().map(String::valueOf).toList();
  }

  private static byte[] resource(String name) throws IOException {
    try (var in = Objects.requireNonNull(ITBrowser.class.getResourceAsStream(name), name)) {
      return in.readAllBytes();
    }
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

  /** An address may come from a link of another page. */
  @ParameterizedTest
  @ValueSource(strings = {"%", "constructor", "__proto__/x"})
  void addressOfNoRoom_showsTheFeed(String room) {
    browser.open(ADA, room);

    browser.await("[data-testid=feed] [data-testid=feed-item]");
    assertThat(browser.all(".failure")).isEmpty();
  }

  /** Proves that an error of the console is found. */
  @Test
  void errorOfTheConsole_isFound() {
    browser.open(ADA, "home");
    browser.script("console.error('planted')");

    assertThat(browser.errors()).anyMatch(error -> error.contains("planted"));
  }
}
