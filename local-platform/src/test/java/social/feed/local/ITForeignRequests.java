package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends what a browser sends for pages of other sites, with headers that no client would set. */
@TestInstance(Lifecycle.PER_CLASS)
class ITForeignRequests {
  private static final String APP = "https://app.example.com";
  private static final String CORS = "feed.cors.origins";
  private static final String TOKENS = "/v1/dev/tokens";
  private static final String BODY = "{\"user_id\":\"ann\"}";

  private LocalPlatform platform;

  @BeforeAll
  void start() {
    System.setProperty(CORS, APP);
    try {
      platform = LocalPlatform.start(PlatformSettings.inMemory());
    } finally {
      System.clearProperty(CORS);
    }
  }

  @AfterAll
  void stop() {
    platform.close();
  }

  private String own() {
    return "Host: 127.0.0.1:" + platform.api().getPort();
  }

  /** Returns the whole response to a request with these headers. */
  private String send(String line, String body, String... headers) throws IOException {
    try (var socket = new Socket("127.0.0.1", platform.api().getPort())) {
      var request =
          "%s HTTP/1.1\r\n%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
              .formatted(line, String.join("\r\n", headers), body.length(), body);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void assertRefused(String response, String code) {
    assertThat(response).startsWith("HTTP/1.1 403 ");
    assertThat(response.toLowerCase(Locale.ROOT))
        .contains("content-type: application/problem+json");
    assertThat(response).contains("\"code\":\"" + code + "\"").doesNotContain("access_token");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8080",
        "evillocalhost",
        "127.0.0.1@evil.example",
        "192.168.1.7:8080",
        "[::2]:8080",
        "[evil.example]",
        "localhost..",
        "evil.example.",
        "0.0.0.0:8080",
        "[fe80::1]"
      })
  void foreignHost_isRefused_onEachPath(String host) throws IOException {
    var header = "Host: " + host;

    for (var path :
        new String[] {"/", "/page/main.js", "/health", "/v1/feed", "/v1/dev/accounts"}) {
      assertRefused(send("GET " + path, "", header), "foreign_host");
    }
    assertRefused(send("POST " + TOKENS, BODY, header), "foreign_host");
    assertThat(send("GET /", "", header))
        .contains("localhost or 127.0.0.1, with any port", "no name " + host);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.0.1:9",
        "localhost:1234",
        "LOCALHOST",
        "app.localhost",
        "localhost.:8080",
        "app.localhost.",
        "[::1]:8080",
        "[0:0:0:0:0:0:0:1]",
        "127.1.2.3"
      })
  void ownNames_areAnswered_atAnyPort(String host) throws IOException {
    assertThat(send("GET /", "", "Host: " + host)).startsWith("HTTP/1.1 200 ");
    assertThat(send("POST " + TOKENS, BODY, "Host: " + host)).contains("access_token");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: " + APP})
  void pageOfAnotherSite_cannotUseTheRoutesOfDevelopment(String header) throws IOException {
    assertRefused(send("POST " + TOKENS, BODY, own(), header), "foreign_site");
    assertRefused(send("POST /v1/dev/drain", "", own(), header), "foreign_site");
    assertRefused(send("GET /v1/dev/xray/requests", "", own(), header), "foreign_site");
    assertRefused(send("DELETE /v1/dev/machine/dead-letters/x", "", own(), header), "foreign_site");
  }

  /** A browser takes the name for the origin of the page, and says so. */
  @ParameterizedTest
  @ValueSource(strings = {"Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none", "Accept: */*"})
  void reboundName_isRefused(String header) throws IOException {
    var port = platform.api().getPort();
    var host = "Host: evil.example:" + port;
    var origin = "Origin: http://evil.example:" + port;

    assertRefused(send("POST " + TOKENS, BODY, host, header), "foreign_host");
    assertRefused(send("POST " + TOKENS, BODY, host, header, origin), "foreign_host");
    assertRefused(send("GET /v1/dev/xray/requests", "", host, header), "foreign_host");
  }

  /** The proxy adds TLS and sends its requests to the address of the platform. */
  @Test
  void pageBehindAProxyThatRewritesHost_usesTheRoutesOfDevelopment() throws IOException {
    var origin = "Origin: " + APP;

    assertThat(send("POST " + TOKENS, BODY, own(), origin, "Sec-Fetch-Site: same-origin"))
        .contains("access_token");
    assertRefused(
        send("POST " + TOKENS, BODY, own(), origin, "Sec-Fetch-Site: cross-site"), "foreign_site");
    assertRefused(
        send("POST " + TOKENS, BODY, own(), origin, "Sec-Fetch-Site: new"), "foreign_site");
  }

  /** The framework refuses origins that are not configured, as soon as one is. */
  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "http://localhost:5173", "null"})
  void otherOrigins_areRefused(String origin) throws IOException {
    assertThat(send("POST " + TOKENS, BODY, own(), "Origin: " + origin))
        .startsWith("HTTP/1.1 403 ")
        .doesNotContain("access_token");
  }

  /** Other spellings of the path must not lead to the same routes. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/%64ev/tokens", "//v1/dev/tokens", "/v1//dev/tokens", "/v1/./dev/tokens"})
  void otherSpellings_areNoWayAround(String path) throws IOException {
    var response = send("POST " + path, BODY, own(), "Sec-Fetch-Site: cross-site");

    assertThat(response).startsWith("HTTP/1.1 40").doesNotContain("access_token");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none", "Accept: */*"})
  void ownPage_usesTheRoutesOfDevelopment(String header) throws IOException {
    var origin = own().replace("Host: ", "Origin: http://");

    assertThat(send("POST " + TOKENS, BODY, own(), header)).contains("access_token");
    assertThat(send("POST " + TOKENS, BODY, own(), header, origin)).contains("access_token");
  }

  @Test
  void appOfAnAllowedOrigin_usesTheRest_andReadsTheRefusal() throws IOException {
    String[] app = {own(), "Sec-Fetch-Site: cross-site", "Origin: " + APP};
    var allowed = "access-control-allow-origin: " + APP;

    var answer = send("GET /v1/feed", "", app).toLowerCase(Locale.ROOT);
    var refusal = send("POST " + TOKENS, BODY, app).toLowerCase(Locale.ROOT);

    assertThat(answer).startsWith("http/1.1 401 ").contains(allowed);
    assertThat(refusal).startsWith("http/1.1 403 ").contains(allowed);
  }

  @Test
  void refusalOfHead_hasNoBody() throws IOException {
    assertThat(send("HEAD /", "", "Host: evil.example"))
        .startsWith("HTTP/1.1 403 ")
        .endsWith("\r\n\r\n");
  }
}
