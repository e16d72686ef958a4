package social.feed.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.kernel.trace.TraceExporters;
import social.feed.table.kernel.trace.Tracing;

/** What a collector and a daemon receive, and that neither of them can delay the platform. */
class ITTraceExporters {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  /** More than wait for a collector at most. */
  private static final int MANY = 5_000;

  private static final int LONG_ENOUGH_MS = 60_000;
  private static final int DATAGRAM = 65_536;

  private record Received(String method, String type, byte[] body) {}

  private static Tracing tracing(String exporter, String endpoint) {
    return TraceExporters.tracing(exporter, endpoint, "tested").orElseThrow();
  }

  private static String at(int port) {
    return LOOPBACK.getHostAddress() + ":" + port;
  }

  private static String url(int port) {
    return "http://%s/v1/traces".formatted(at(port));
  }

  /** Ends a span and returns the id of its trace. */
  private static String span(Tracing tracing) {
    var span = Span.fromContext(tracing.begin(Context.root(), SpanKind.SERVER, "GET /v1/tested"));
    span.end();
    return span.getSpanContext().getTraceId();
  }

  /** Strings are as they are in the protocol, and an id is its bytes. */
  private static void assertHasSpan(byte[] request, String trace) {
    assertThat(new String(request, StandardCharsets.ISO_8859_1))
        .contains(
            new String(HexFormat.of().parseHex(trace), StandardCharsets.ISO_8859_1),
            "GET /v1/tested",
            "service.name",
            "tested");
  }

  @Test
  void otlp_postsSpansToTheCollector() throws Exception {
    var received = new LinkedBlockingQueue<Received>();
    var collector = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          var type = exchange.getRequestHeaders().getFirst("Content-Type");
          var body = exchange.getRequestBody().readAllBytes();
          received.add(new Received(exchange.getRequestMethod(), type, body));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try (var tracing = tracing("otlp", url(collector.getAddress().getPort()))) {
      var trace = span(tracing);
      tracing.flush();

      var request = requireNonNull(received.poll(LONG_ENOUGH_MS, TimeUnit.MILLISECONDS));
      assertThat(request.method()).isEqualTo("POST");
      assertThat(request.type()).isEqualTo("application/x-protobuf");
      assertHasSpan(request.body(), trace);
    } finally {
      collector.stop(0);
    }
  }

  @Test
  void xray_sendsADatagramForEachSpan() throws IOException {
    try (var daemon = new DatagramSocket(0, LOOPBACK);
        var tracing = tracing("xray", at(daemon.getLocalPort()))) {
      daemon.setSoTimeout(LONG_ENOUGH_MS);
      for (int number = 0; number < 2; number++) {
        var trace = span(tracing);
        var packet = new DatagramPacket(new byte[DATAGRAM], DATAGRAM);
        daemon.receive(packet);

        var lines =
            new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8).split("\n");
        assertThat(lines).hasSize(2);
        assertThat(lines[0]).isEqualTo("{\"format\":\"json\",\"version\":1}");
        assertThat(lines[1]).startsWith("T1S");
        assertHasSpan(Base64.getDecoder().decode(lines[1].substring(3)), trace);
      }
    }
  }

  /**
   * The exporter waits 10 seconds for an answer and then closes the connection. That it is still
   * open shows that ends of spans, flushes and the end waited for less.
   */
  @Test
  void collectorThatNeverAnswers_holdsUpNothing() throws IOException {
    try (var collector = new ServerSocket(0, 1, LOOPBACK)) {
      collector.setSoTimeout(LONG_ENOUGH_MS);
      try (var tracing = tracing("otlp", url(collector.getLocalPort()))) {
        span(tracing);
        tracing.flush();
        try (var connection = collector.accept()) {
          for (int number = 0; number < MANY; number++) {
            span(tracing);
          }
          tracing.flush();
          tracing.close();
          assertThat(isWaiting(connection)).isTrue();
        }
      }
    }
  }

  /** Reads what was sent. Returns whether the other side waits for an answer. */
  private static boolean isWaiting(Socket connection) throws IOException {
    connection.setSoTimeout(1);
    try {
      connection.getInputStream().readAllBytes();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"otlp", "xray"})
  void receiverThatIsDown_failsNothing(String exporter) throws IOException {
    int free;
    try (var socket = new ServerSocket(0, 1, LOOPBACK)) {
      free = socket.getLocalPort();
    }
    try (var tracing = tracing(exporter, exporter.equals("otlp") ? url(free) : at(free))) {
      assertThat(span(tracing)).hasSize(32);
      tracing.flush();
      assertThat(span(tracing)).hasSize(32);
    }
  }

  /** A name may be wrong, or unknown for a while. */
  @Test
  void daemonWithoutAnAddress_failsNothing() {
    try (var tracing = tracing("xray", "unknown.invalid:2000")) {
      assertThat(span(tracing)).hasSize(32);
      tracing.flush();
    }
  }
}
