package social.feed.ctl.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import social.feed.ctl.PlatformVerifier;
import social.feed.ctl.demo.DemoWorld;
import social.feed.ctl.load.ApiCalls;
import social.feed.engine.EngineClients;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.testkit.Polling;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The page of a platform with the demo world, in a real browser. A class of tests has one for all
 * of its tests, which leave no error in the browser's console.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class DemoPage {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final String ADA = "ada_okafor";
  static final String BEN = "ben_larsen";

  /** The page reads all rows at each start. The pictures of the README show the whole world. */
  private static final int PART_OF_WORLD = Boolean.getBoolean("goldens.update") ? 1 : 3;

  private static final Set<String> IN_README = Set.of("app", "xray");

  LocalPlatform platform;
  DynamoDbClient plain;
  ApiCalls api;
  Chromium browser;

  @BeforeAll
  void start() throws Exception {
    platform =
        LocalPlatform.start(
            PlatformSettings.inMemory().withCelebritiesFrom(DemoWorld.CELEBRITY_THRESHOLD));
    platform.verifyWith(new PlatformVerifier(platform, DemoWorld.CELEBRITY_THRESHOLD));
    plain = EngineClients.dynamoDb(platform.dynamodb());
    var table =
        new Table(platform.engine().directClient(), PlatformSettings.TABLE, Retry.standard());
    assertThat(new DemoWorld(table, Instant.now(), PART_OF_WORLD).create()).isTrue();
    platform.drain(PATIENCE);
    api = new ApiCalls(platform.api(), Map.of());
    send(ADA, "POST", "/v1/users/" + BEN + "/follow", "");
    platform.drain(PATIENCE);
    // The first search of a process may take longer than a search may.
    Polling.until(() -> isAnswered("/v1/search/posts?q=warm"));
    Polling.until(() -> isAnswered("/v1/search/accounts?q=warm"));
    browser = new Chromium(platform.api());
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
    browser.scheme("light");
    browser.size(1440, 900);
    assertThat(browser.errors())
        .allMatch(error -> error.contains("net::ERR_INTERNET_DISCONNECTED"));
  }

  private boolean isAnswered(String path) {
    try {
      return api.send(ADA, "GET", path, "").isOk();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  ApiCalls.Answer send(String account, String method, String path, String body)
      throws IOException, InterruptedException {
    api.signIn(account);
    var answer = api.send(account, method, path, body);
    assertThat(answer.isOk()).as(answer.body()).isTrue();
    return answer;
  }

  String post(String account, String text) throws IOException, InterruptedException {
    return send(account, "POST", "/v1/posts", "{\"text\":\"" + text + "\"}").id();
  }

  void compose(String text) {
    browser.await("[data-testid=compose-text]").sendKeys(text);
    browser.click("[data-testid=compose-send]:not(:disabled)");
  }

  static String item(String id) {
    return "[data-testid=feed] [data-testid=feed-item][data-post-id=\"" + id + "\"]";
  }

  record ShownRow(String pk, String sk) {}

  List<ShownRow> rows() {
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

  /** With {@code -Dgoldens.update=true} also into the documents, smaller. */
  void picture(String name) {
    browser.picture(Path.of("target", "pictures", name + ".png"), "png");
    if (Boolean.getBoolean("goldens.update") && IN_README.contains(name)) {
      browser.picture(Path.of("..", "docs", "pictures", name + ".jpg"), "jpeg");
    }
  }
}
