package social.feed.ctl.page;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import social.feed.testkit.Polling;

/** Debian's Chromium without a screen, at the page of a platform. */
final class Chromium implements AutoCloseable {
  private static final File BROWSER = new File("/usr/bin/chromium");
  private static final File DRIVER = new File("/usr/bin/chromedriver");

  private static final Duration START_WITHIN = Duration.ofMinutes(1);

  /** The rules of accessibility take long on a busy machine. */
  private static final Duration SCRIPT_WITHIN = Duration.ofMinutes(3);

  private static final int QUALITY = 72;

  private final ChromeDriver driver;
  private final URI page;

  Chromium(URI page) {
    this.page = page;
    var options = new ChromeOptions();
    options.setBinary(BROWSER);
    options.addArguments("--headless=new", "--disable-gpu", "--hide-scrollbars", "--lang=en");
    // The sandbox needs a user of its own and namespaces, which machines of CI do not have.
    if (System.getProperty("user.name").equals("root") || System.getenv("CI") != null) {
      options.addArguments("--no-sandbox", "--disable-dev-shm-usage");
    }
    var logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    this.driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(DRIVER)
                .usingAnyFreePort()
                .withTimeout(START_WITHIN)
                .build(),
            options);
    driver.manage().timeouts().scriptTimeout(SCRIPT_WITHIN);
  }

  /** Opens the page in this window, as an account. */
  void open(String account, String room) {
    driver.get("about:blank");
    driver.get(page.resolve("/?as=" + account) + "#/" + room);
    Polling.until(() -> account.equals(actingAs()));
    if (room.equals("home")) {
      awaitGone("[data-testid=feed][aria-busy=true]");
    }
  }

  /** Opens the page of a platform without accounts. */
  void openAlone(String room) {
    driver.get(page.resolve("/#/" + room).toString());
  }

  private String actingAs() {
    return String.valueOf(
        script("return document.querySelector('[data-testid=acting-as]')?.value ?? ''"));
  }

  /** Opens a second window and returns what names the first. */
  String openWindow() {
    var first = driver.getWindowHandle();
    driver.switchTo().newWindow(WindowType.TAB);
    return first;
  }

  String window() {
    return driver.getWindowHandle();
  }

  void switchTo(String window) {
    driver.switchTo().window(window);
  }

  void closeOthers() {
    var handles = List.copyOf(driver.getWindowHandles());
    for (var handle : handles.subList(1, handles.size())) {
      driver.switchTo().window(handle).close();
    }
    driver.switchTo().window(handles.getFirst());
  }

  Object script(String script, Object... arguments) {
    return Objects.requireNonNullElse(driver.executeScript(script, arguments), "");
  }

  Object asyncScript(String script, Object... arguments) {
    return Objects.requireNonNullElse(driver.executeAsyncScript(script, arguments), "");
  }

  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** Returns the first element of a selector when it is there. */
  WebElement await(String selector) {
    Polling.until(() -> !all(selector).isEmpty());
    return all(selector).getFirst();
  }

  void awaitGone(String selector) {
    Polling.until(() -> all(selector).isEmpty());
  }

  /** Clicks, also where the page replaces the element at that moment. */
  void click(String selector) {
    Polling.until(
        () -> {
          try {
            var element = await(selector);
            driver.executeScript("arguments[0].scrollIntoView({block: 'center'})", element);
            element.click();
            return true;
          } catch (StaleElementReferenceException e) {
            return false;
          }
        });
  }

  String text(String selector) {
    return String.valueOf(
            script("return document.querySelector(arguments[0])?.textContent ?? ''", selector))
        .strip();
  }

  WebElement focused() {
    return driver.switchTo().activeElement();
  }

  /** Sets the size of the page. Windows cannot be as narrow as telephones. */
  void size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  void scheme(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", scheme),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  void offline(boolean isOffline) {
    driver.executeCdpCommand("Network.enable", Map.of());
    driver.executeCdpCommand(
        "Network.emulateNetworkConditions",
        Map.of(
            "offline", isOffline, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
  }

  /** Returns the errors of the console since the last call. */
  List<String> errors() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
        .map(entry -> entry.getMessage())
        .toList();
  }

  /** Writes a picture of what is visible. */
  void picture(Path file, String format) {
    var picture =
        driver.executeCdpCommand(
            "Page.captureScreenshot",
            format.equals("png")
                ? Map.of("format", format)
                : Map.of("format", format, "quality", QUALITY));
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.write(
          file,
          Base64.getDecoder()
              .decode(String.valueOf(picture.get("data")).getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
