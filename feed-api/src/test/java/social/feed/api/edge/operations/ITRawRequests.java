package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.ServerOnly;

/** Requests that no HTTP client sends. */
@ExtendWith(FeedServerExtension.class)
class ITRawRequests {
  private static final String RIGHT = "{\"user_id\":\"x\"}";

  private final FeedServer server;

  ITRawRequests(FeedServer server) {
    this.server = server;
  }

  private String send(String request) throws IOException {
    try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String get(String target) throws IOException {
    return send("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/users/%",
        "/v1/users/%zz",
        "/v1/users/[x]",
        "/v1/users/a\\b",
        "/v1/feed?limit=%",
        "/v1/users/%c3%28",
        "http://[::1/v1/feed",
        "/v1/\"",
        "/v1/feed?cursor=%ff%fe"
      })
  @ServerOnly
  void target_thatIsNoAddress_isAProblem(String target) throws IOException {
    String answer = get(target);

    assertThat(answer).matches("(?s)HTTP/1.1 40[014] .*");
    assertThat(answer).contains("application/problem+json", "\"code\":").doesNotContain("xception");
  }

  /** The JSON library detects UTF-16 and UTF-32 by the first bytes, and fails on some of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\0\0\u00ff\u00fe",
        "\u00ff\u00fe\0\0",
        "\0\0\u00fe\u00ff",
        "1\0\0\0\0",
        "{\0\0\0\u00ff\u00ff\u00ff\u00ff",
        "\u00ff\u00fe{\0}\0",
        "{\0\"\0u\0\"\0:\0\"\0x\0\"\0}\0",
        "\0{\0}",
        "{\"user_id\":\"\u00e9\"}",
        "{\"user_id\":\"\u00ed\u00a0\u0080\"}",
        "\u00ef\u00bb\u00bf"
      })
  void body_thatIsNotUtf8_isNotJson(String body) throws IOException {
    String answer = post("Content-Type: application/json\r\n", body);

    assertThat(answer).matches("(?s)HTTP/1.1 400 .*");
    assertThat(answer).contains("application/problem+json", "\"code\":\"invalid_json\"");
  }

  /** A mark that says nothing in UTF-8, which some editors write. */
  @Test
  void body_withAByteOrderMark_isTaken() throws IOException {
    String answer = post("Content-Type: application/json\r\n", "\u00ef\u00bb\u00bf" + RIGHT);

    assertThat(answer).matches("(?s)HTTP/1.1 200 .*");
  }

  @Test
  void line_tooLong_isAProblem() throws IOException {
    String answer = get("/v1/feed?cursor=" + "x".repeat(5_000));

    assertThat(answer).matches("(?s)HTTP/1.[01] 414 .*");
    assertThat(answer)
        .contains("application/problem+json", "\"code\":\"address_too_long\"", "nosniff");
  }

  @Test
  void headers_tooLarge_areAProblem() throws IOException {
    String answer =
        send(
            "GET /v1/feed HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: "
                + "x".repeat(20_000)
                + "\r\n\r\n");

    assertThat(answer).matches("(?s)HTTP/1.1 431 .*");
    assertThat(answer).contains("application/problem+json", "\"code\":\"headers_too_large\"");
  }

  @Test
  @ServerOnly
  void body_announcedTooLarge_isAProblem() throws IOException {
    String token =
        server.anonymous().post("/v1/dev/tokens", "{\"user_id\":\"raw\"}").at("access_token");

    String answer =
        send(
            "POST /v1/posts HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                + token
                + "\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{");

    assertThat(answer).matches("(?s)HTTP/1.1 413 .*");
    assertThat(answer).contains("\"code\":\"too_large\"");
  }

  @Test
  void body_inPartsThatGrowTooLarge_isAProblem() throws IOException {
    String part = "1000\r\n" + " ".repeat(0x1000) + "\r\n";

    String answer =
        send(
            "POST /v1/dev/tokens HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + part.repeat(17)
                + "0\r\n\r\n");

    assertThat(answer).matches("(?s)HTTP/1.1 413 .*");
    assertThat(answer).contains("\"code\":\"too_large\"");
  }

  private String post(String headers, String body) throws IOException {
    return send(
        "POST /v1/dev/tokens HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + headers
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "deflate", "snappy", "br", "zstd", "gzip, gzip", "x"})
  void body_thatSaysItIsCompressed_isAProblem(String coding) throws IOException {
    for (String body : List.of(RIGHT, zipped(RIGHT.getBytes(StandardCharsets.UTF_8)))) {
      String answer =
          post("Content-Type: application/json\r\nContent-Encoding: " + coding + "\r\n", body);

      assertThat(answer).matches("(?s)HTTP/1.1 415 .*");
      assertThat(answer).contains("\"code\":\"unsupported_media_type\"");
    }
  }

  @Test
  void body_thatSaysItIsAsItIs_isTaken() throws IOException {
    assertThat(post("Content-Encoding: Identity\r\n", RIGHT)).matches("(?s)HTTP/1.1 200 .*");
  }

  /** Sixty kilobytes that would be sixty megabytes, which is not found out: that would be 413. */
  @Test
  void body_thatWouldBecomeLarge_isNotUnpacked() throws IOException {
    String bomb = zipped(new byte[60_000_000]);
    assertThat(bomb.length()).isLessThan(64 * 1024);

    assertThat(post("Content-Encoding: gzip\r\n", bomb)).matches("(?s)HTTP/1.1 415 .*");
  }

  private static String zipped(byte[] body) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(body);
    }
    return zipped.toString(StandardCharsets.ISO_8859_1);
  }

  /** Sends lines before {@code Host}, and a body after the empty line. */
  static Stream<Arguments> odd() {
    String get = "GET /v1/feed HTTP/1.1\r\n";
    String post = "POST /v1/dev/tokens HTTP/1.1\r\n";
    String json = post + "Content-Length: " + RIGHT.length() + "\r\n";
    return Stream.of(
        Arguments.of("OPTIONS * HTTP/1.1\r\n", ""),
        Arguments.of("CONNECT x:443 HTTP/1.1\r\n", ""),
        Arguments.of("TRACE /v1/feed HTTP/1.1\r\n", ""),
        Arguments.of("GET http://y/v1/feed HTTP/1.1\r\n", ""),
        Arguments.of("GET /v1/feed HTTP/9.9\r\n", ""),
        Arguments.of("GET /v1/feed\r\n", ""),
        Arguments.of("GET //v1/feed HTTP/1.1\r\n", ""),
        Arguments.of("GET /v1/./feed HTTP/1.1\r\n", ""),
        Arguments.of("GET /v1/feed;a=b HTTP/1.1\r\n", ""),
        Arguments.of("GET /v1/feed\u001b[2J HTTP/1.1\r\n", ""),
        Arguments.of(get + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n", ""),
        Arguments.of(get + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n", ""),
        Arguments.of(get + "Bad Header: x\r\n", ""),
        Arguments.of(get + "X-Nul: a\u0000b\r\n", ""),
        Arguments.of(get + "X-Folded: a\r\n b\r\n", ""),
        Arguments.of(get + ": x\r\n", ""),
        Arguments.of(get + "Accept: ;\r\n", ""),
        Arguments.of(get + "Accept: application/json;q=x\r\n", ""),
        Arguments.of(get + "Accept: /\r\n", ""),
        Arguments.of(get + "Accept-Charset: nonsense\r\n", ""),
        Arguments.of(get + "Accept-Language: ***,-\r\n", ""),
        Arguments.of(get + "Accept-Encoding: gzip;q=x,*;q=\r\n", ""),
        Arguments.of(get + "Cookie: =;;;\u00ff\r\n", ""),
        Arguments.of(get + "Authorization: Bearer \u00ff\r\n", ""),
        Arguments.of(get + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n", ""),
        Arguments.of(get + "Range: bytes=9-1\r\nIf-Range: x\r\n", ""),
        Arguments.of(json + "Expect: nonsense\r\n", RIGHT),
        Arguments.of(json + "Content-Type: ;\r\n", RIGHT),
        Arguments.of(json + "Content-Type: /\r\n", RIGHT),
        Arguments.of(json + "Content-Type: application/json;charset=nonsense\r\n", RIGHT),
        Arguments.of(json + "Content-Type: application/json;charset=\"\r\n", RIGHT),
        Arguments.of(json + "Content-Type: application/json;charset=utf-16\r\n", RIGHT),
        Arguments.of(json + "Content-Type: application/json\r\nContent-Type: x/y\r\n", RIGHT),
        Arguments.of(post + "Content-Length: x\r\n", RIGHT),
        Arguments.of(post + "Content-Length: -1\r\n", RIGHT),
        Arguments.of(post + "Content-Length: 1\r\nContent-Length: 2\r\n", RIGHT),
        Arguments.of(post + "Transfer-Encoding: chunked\r\n", "zz\r\n"),
        Arguments.of(post + "Transfer-Encoding: chunked\r\n", "2;x=y\r\n{}\r\n0\r\n\r\n"),
        Arguments.of(post + "Transfer-Encoding: gzip, chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"),
        Arguments.of(
            post + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", "2\r\n{}\r\n0\r\n\r\n"));
  }

  @ParameterizedTest
  @MethodSource("odd")
  @ServerOnly
  void request_thatIsOdd_isNoDefect(String lines, String body) throws IOException {
    String answer = send(lines + "Host: x\r\nConnection: close\r\n\r\n" + body);

    assertThat(answer)
        .matches("(?s)HTTP/\\d.\\d [24]\\d\\d .*")
        .doesNotContain("xception", "\tat ");
    if (!answer.contains(" 200 OK")) {
      assertThat(answer).contains("application/problem+json", "\"code\":");
    }
  }
}
