package social.feed.api.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;

/** Requests that no HTTP client sends. */
@ExtendWith(FeedServerExtension.class)
class ITRawRequests {
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
  void target_thatIsNoAddress_isAProblem(String target) throws IOException {
    String answer = get(target);

    assertThat(answer).matches("(?s)HTTP/1.1 40[014] .*");
    assertThat(answer).contains("application/problem+json", "\"code\":").doesNotContain("xception");
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
}
