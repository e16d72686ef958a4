package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.ServerOnly;

/** Clients that send a byte now and then. */
@ServerOnly
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITSlowRequests {
  private static final int TICK_MILLIS = 100;
  private static final String ENTIRE = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String LAST = "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  private final FeedServer server =
      FeedServer.start(
          Map.of(
              "feed.limits.request-time", "1s",
              "feed.limits.upload-time", "3s",
              "feed.limits.followed", 10));

  @AfterAll
  void stop() {
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(server.uri().getHost(), server.uri().getPort());
    socket.setSoTimeout(TICK_MILLIS);
    return socket;
  }

  /** Sends the last byte again and again, until the server hangs up. */
  private static Duration trickle(Socket socket, String begun) throws IOException {
    Instant start = Instant.now();
    OutputStream out = socket.getOutputStream();
    out.write(begun.getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    while (Duration.between(start, Instant.now()).toSeconds() < 20) {
      try {
        if (in.read() < 0) {
          break;
        }
      } catch (SocketTimeoutException e) {
        try {
          out.write('x');
        } catch (SocketException hungUp) {
          break;
        }
      } catch (SocketException hungUp) {
        break;
      }
    }
    return Duration.between(start, Instant.now());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "G",
        "GET /v1/feed HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        "POST /v1/dev/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + "Content-Length: 60000\r\n\r\n"
      })
  void request_thatNeverEnds_isCutOff(String begun) throws IOException {
    try (Socket socket = connect()) {
      assertThat(trickle(socket, begun)).isBetween(Duration.ofMillis(900), Duration.ofSeconds(10));
    }
  }

  private static String upload(String address) {
    return "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n".formatted(address);
  }

  @Test
  void upload_thatNeverEnds_isCutOffLater() throws IOException {
    Api ann = server.as(server.world().user("ann"));
    Answer announced =
        ann.post(
            "/v1/media",
            "{\"content_type\":\"image/png\",\"bytes\":60000,\"sha256\":\"%s\"}"
                .formatted("0".repeat(64)));
    Expect.status(201, announced);

    try (Socket socket = connect()) {
      assertThat(trickle(socket, upload(announced.at("address"))))
          .isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(15));
    }
  }

  /** Nothing of it is wanted, so it is not read to its end, as another refused request is. */
  @Test
  void upload_withAWrongSignature_getsItsResponseAndIsCutOff() throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(upload("/media/uploads/x?signature=x").getBytes(StandardCharsets.US_ASCII));

      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 404")
          .containsIgnoringCase("connection: close");
    }
  }

  @Test
  void upload_farTooLarge_isCutOff() throws IOException {
    String begin =
        "PUT /media/uploads/x?signature=x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    try (Socket socket = connect()) {
      socket.setSoTimeout(10_000);
      OutputStream out = socket.getOutputStream();
      out.write(begin.getBytes(StandardCharsets.US_ASCII));
      byte[] chunk =
          ("10000\r\n" + "x".repeat(65_536) + "\r\n").getBytes(StandardCharsets.US_ASCII);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  out.write(chunk);
                }
              })
          .isInstanceOf(SocketException.class);
    }
  }

  /** The limit of the server is that of uploads, so it would take this body. */
  @Test
  void request_farTooLarge_isCutOff() throws IOException {
    String begin = "GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: ";
    byte[] body = new byte[4_000_000];
    String answers;
    try (Socket socket = connect()) {
      socket.setSoTimeout(10_000);
      answers = answers(socket, (begin + body.length + "\r\n\r\n"), body, LAST);
    }
    assertThat(answers.split("HTTP/1.1 200", -1)).hasSizeLessThan(3);

    try (Socket socket = connect()) {
      socket.setSoTimeout(10_000);
      answers = answers(socket, begin + "9\r\n\r\n", new byte[9], LAST);
    }
    assertThat(answers.split("HTTP/1.1 200", -1)).hasSize(3);
  }

  /** The limit is that of a request, and not of its connection. */
  @Test
  void requests_ofOneConnection_areNotAddedUp() throws IOException {
    int requests = 20;
    byte[] body = new byte[60_000];
    byte[] head =
        ("GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    var all = new ByteArrayOutputStream();
    for (int i = 0; i < requests; i++) {
      all.write(head);
      all.write(body);
    }
    try (Socket socket = connect()) {
      socket.setSoTimeout(10_000);
      assertThat(answers(socket, "", all.toByteArray(), LAST).split("HTTP/1.1 200", -1))
          .hasSize(requests + 2);
    }
  }

  /** Sends requests and returns what comes back until the server hangs up. */
  private static String answers(Socket socket, String head, byte[] body, String next) {
    var received = new ByteArrayOutputStream();
    try {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      out.write(body);
      out.write(next.getBytes(StandardCharsets.US_ASCII));
      socket.getInputStream().transferTo(received);
    } catch (SocketException hungUp) {
      // What came before it counts.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return received.toString(StandardCharsets.US_ASCII);
  }

  @Test
  void request_thatNeverEndsOnAUsedConnection_isCutOff() throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(ENTIRE.getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      socket.setSoTimeout(TICK_MILLIS);

      assertThat(trickle(socket, "G")).isBetween(Duration.ofMillis(900), Duration.ofSeconds(10));
    }
  }

  @Test
  void connection_withoutARequest_isKept() throws IOException {
    try (Socket socket = connect()) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(ENTIRE.getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readNBytes(12)).endsWith('2', '0', '0');
      socket.setSoTimeout(2_500);
      while (true) {
        try {
          assertThat(socket.getInputStream().read()).as("hung up").isNotNegative();
        } catch (SocketTimeoutException silence) {
          break;
        }
      }
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(ENTIRE.getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readNBytes(12)).endsWith('2', '0', '0');
    }
  }

  @Test
  void manySlowClients_leaveTheOthersTheirAnswers() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = connect();
        slow.add(socket);
        socket
            .getOutputStream()
            .write(
                "POST /v1/dev/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
                    .getBytes(StandardCharsets.US_ASCII));
      }
      Api caller = server.as("quick");
      for (int i = 0; i < 20; i++) {
        Expect.status(200, caller.get("/v1/feed"));
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }
}
