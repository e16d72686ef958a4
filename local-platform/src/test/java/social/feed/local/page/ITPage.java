package social.feed.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;

/** Tests how the page is served, without a browser. */
@TestInstance(Lifecycle.PER_CLASS)
class ITPage {
  private static final int LARGEST = 150_000;

  /** What a page or a module loads: imports, and links and scripts with a path. */
  private static final Pattern LOADS =
      Pattern.compile("(?:from ?|import ?|href=|src=)[\"']([^\"'#]+\\.(?:js|css|svg))[\"']");

  private final HttpClient http = HttpClient.newHttpClient();
  private LocalPlatform platform;

  @BeforeAll
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
  }

  @AfterAll
  void stop() {
    platform.close();
    http.close();
  }

  private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(platform.api().resolve(path))
            .header("Accept-Encoding", "gzip")
            .build(),
        BodyHandlers.ofByteArray());
  }

  /** Returns everything that the first load gets, by its path, as it comes over the wire. */
  private Map<String, HttpResponse<byte[]>> firstLoad() throws IOException, InterruptedException {
    var loaded = new HashMap<String, HttpResponse<byte[]>>();
    var left = new ArrayDeque<>(List.of("/"));
    while (!left.isEmpty()) {
      var path = left.remove();
      if (!loaded.containsKey(path)) {
        var response = get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        loaded.put(path, response);
        LOADS
            .matcher(text(response))
            .results()
            .map(found -> URI.create(path).resolve(found.group(1)).getPath())
            .forEach(left::add);
      }
    }
    return loaded;
  }

  private static String text(HttpResponse<byte[]> response) throws IOException {
    boolean isZipped =
        response.headers().firstValue("Content-Encoding").filter("gzip"::equals).isPresent();
    if (!isZipped) {
      return new String(response.body(), StandardCharsets.UTF_8);
    }
    try (var in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void firstLoad_isSmall_andComesFromThisServerOnly() throws Exception {
    var loaded = firstLoad();

    assertThat(loaded)
        .containsKeys("/", "/page/main.js", "/page/page.css", "/page/lit-html/lit-html.js")
        .containsKeys("/page/sdk/index.js", "/page/sdk/stream.js");
    assertThat(loaded).hasSizeGreaterThan(15);
    int bytes = loaded.values().stream().mapToInt(each -> each.body().length).sum();
    assertThat(bytes).isBetween(10_000, LARGEST);
    for (var each : loaded.entrySet()) {
      // The names of namespaces are no addresses.
      assertThat(text(each.getValue()).replace("http://www.w3.org/", ""))
          .as(each.getKey())
          .doesNotContain("http://")
          .doesNotContainPattern("https://(?!lit\\.dev)");
    }
  }

  @Test
  void page_allowsNoInlineScriptOrStyle_andHasNone() throws Exception {
    var page = get("/");

    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
        .contains("require-trusted-types-for 'script'")
        .doesNotContain("unsafe");
    assertThat(text(page)).doesNotContain("<style", " style=", " onload=");
    assertThat(text(page)).doesNotContainPattern("<script(?![^>]*src=)");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
  }

  /** What the client does for the page is in one place. */
  @Test
  void modules_callTheApiThroughTheClientOnly() throws Exception {
    for (var each : firstLoad().entrySet()) {
      boolean isOwn =
          !each.getKey().contains("lit-html") && !each.getKey().startsWith("/page/sdk/");
      if (isOwn && !each.getKey().equals("/page/api.js")) {
        assertThat(text(each.getValue())).as(each.getKey()).doesNotContain("fetch(", "EventSource");
      }
    }
  }

  /** Lit renders text as text. Nothing in the page goes around it. */
  @Test
  void modules_renderNoHtmlFromText() throws Exception {
    for (var each : firstLoad().entrySet()) {
      if (!each.getKey().contains("lit-html")) {
        assertThat(text(each.getValue()))
            .as(each.getKey())
            .doesNotContain("innerHTML", "unsafeHTML", "insertAdjacentHTML", "document.write")
            .doesNotContain(" style=");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/page/none.js",
        "/page/..%2fapplication.properties",
        "/page/lit-html/..%2f..%2f..%2f..%2fapplication.properties",
        "/page/application.properties",
        "/page/app"
      })
  void otherFiles_areNotServed(String path) throws Exception {
    assertThat(get(path).statusCode()).isIn(400, 404);
  }
}
