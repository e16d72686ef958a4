package social.feed.event.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Receivers that never answer, never end, or send byte by byte do not hold up a call. */
class ITHostileReceivers extends WebhookScenario {
  @Test
  void answerWithoutEnd_isNotRead() throws Exception {
    var server =
        server(
            "127.0.0.1",
            0,
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              var chunk = new byte[8_192];
              try (var body = exchange.getResponseBody()) {
                while (true) {
                  body.write(chunk);
                }
              }
            });
    assertThat(caller(calls(true), server, "127.0.0.1").call().isDelivered()).isTrue();
  }

  /** Each byte comes in time, and all of them never. */
  @Test
  void headersThatDrip_endTheCall() throws Exception {
    var status = "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8);
    try (var drips = new Dripping(status, (byte) 'x')) {
      var calls = calls(new AddressGuard(InetAddress::getAllByName, _ -> true), true, SOON);
      assertEndedInTime(new Caller(calls, drips.address("http")).call());
    }
  }

  /** The queues of both addresses are full, so no connection is made and none is refused. */
  @Test
  void addressesThatDoNotConnect_endTheCall() throws Exception {
    try (var one = fullSocket(2, 0);
        var other = fullSocket(3, one.socket().getLocalPort())) {
      var calls = calls(several("full.test", 2, 3), true, SOON);
      var address = URI.create("http://full.test:" + other.socket().getLocalPort());

      var outcome = new Caller(calls, address).call();

      assertEndedInTime(outcome);
    }
  }

  /** A server that accepts nothing, and whose queue is full. */
  private record FullSocket(ServerSocket socket, List<SocketChannel> waiting)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      for (var one : waiting) {
        one.close();
      }
      socket.close();
    }
  }

  private static FullSocket fullSocket(int last, int port) throws IOException {
    var address = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    var socket = new ServerSocket(port, 1, address);
    var waiting = new ArrayList<SocketChannel>();
    for (int i = 0; i < 8; i++) {
      var one = SocketChannel.open();
      one.configureBlocking(false);
      one.connect(socket.getLocalSocketAddress());
      waiting.add(one);
    }
    return new FullSocket(socket, waiting);
  }

  private static void assertEndedInTime(WebhookOutcome outcome) {
    assertThat(outcome.isDelivered()).isFalse();
    assertThat(outcome.error()).contains("no answer within");
    assertThat(outcome.took()).isBetween(SOON, LATE);
  }

  /** The other side begins a record of TLS, and each of its bytes comes in time. */
  @Test
  void handshakeThatDrips_endsTheCall() throws Exception {
    var begun = new byte[] {22, 3, 3, 64, 0};
    try (var drips = new Dripping(begun, (byte) 2)) {
      var calls = calls(new AddressGuard(InetAddress::getAllByName, _ -> true), true, SOON);
      assertEndedInTime(new Caller(calls, drips.address("https")).call());
    }
  }

  @Test
  void handshakeWithoutAnswer_endsTheCall() throws Exception {
    try (var socket = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      var calls = calls(new AddressGuard(InetAddress::getAllByName, _ -> true), true, SOON);
      var address = URI.create("https://127.0.0.1:" + socket.getLocalPort());
      assertEndedInTime(new Caller(calls, address).call());
    }
  }

  /** The status says all, so the rest is not waited for. */
  @Test
  void bodyThatDrips_isNotRead() throws Exception {
    var headers =
        "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".getBytes(StandardCharsets.UTF_8);
    try (var drips = new Dripping(headers, (byte) 'x')) {
      var calls = calls(new AddressGuard(InetAddress::getAllByName, _ -> true), true, LATE);

      // A call that waits for the body ends without success.
      var outcome = new Caller(calls, drips.address("http")).call();

      assertThat(outcome.isDelivered()).as("%s", outcome).isTrue();
    }
  }

  /** A server that sends a beginning, and then a byte again and again. */
  private static final class Dripping implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
    private final Thread thread;

    Dripping(byte[] beginning, byte drop) throws IOException {
      this.thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (var connection = socket.accept()) {
                      var out = connection.getOutputStream();
                      out.write(beginning);
                      while (true) {
                        out.write(drop);
                        out.flush();
                        LockSupport.parkNanos(20_000_000);
                      }
                    } catch (IOException e) {
                      // The other side has ended the call.
                    }
                  });
    }

    URI address(String scheme) {
      return URI.create("%s://127.0.0.1:%d".formatted(scheme, socket.getLocalPort()));
    }

    @Override
    public void close() throws Exception {
      socket.close();
      thread.join();
    }
  }

  @Test
  void serverThatNeverAnswers_endsTheCall() throws Exception {
    try (var socket = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      var calls = calls(new AddressGuard(InetAddress::getAllByName, _ -> true), true, SOON);
      var address = URI.create("http://127.0.0.1:" + socket.getLocalPort());
      assertThat(new Caller(calls, address).call().error()).contains("no answer within");
    }
  }

  @Test
  void headersWithoutEnd_endTheCall() throws Exception {
    var server =
        server(
            "127.0.0.1",
            0,
            exchange -> {
              for (int i = 0; i < 1_000; i++) {
                exchange.getResponseHeaders().add("X-" + i, "x");
              }
              exchange.sendResponseHeaders(200, -1);
              exchange.close();
            });
    assertThat(caller(calls(true), server, "127.0.0.1").call().isDelivered()).isFalse();
  }
}
