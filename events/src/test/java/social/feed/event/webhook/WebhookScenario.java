package social.feed.event.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;

/** Real servers on this machine, and calls of webhooks to them. */
abstract class WebhookScenario {
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  /** The longest time of a call that has no answer. */
  static final Duration SOON = Duration.ofMillis(700);

  /**
   * The longest time of a call that has one. On a busy machine, each call may take some seconds.
   */
  static final Duration LATE = Duration.ofSeconds(30);

  static final DomainEvent EVENT =
      new DomainEvent(
          EventType.ACCOUNT_ERASED,
          NOW,
          "account:ann",
          "1",
          "ann",
          new TreeMap<>(Map.of("user_id", "ann")));

  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  /** What the servers of {@link #answer} received. */
  final List<Map<String, String>> received = new CopyOnWriteArrayList<>();

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (var one : open.reversed()) {
      one.close();
    }
  }

  WebhookCalls calls(boolean allowsPrivate) {
    return opened(new WebhookCalls(allowsPrivate, CLOCK));
  }

  WebhookCalls calls(AddressGuard guard, boolean allowsHttp, Duration longest) {
    return opened(new WebhookCalls(guard, allowsHttp, CLOCK, longest));
  }

  static Caller caller(WebhookCalls calls, InetSocketAddress server, String host) {
    var address = URI.create("http://%s:%d/hook".formatted(host, server.getPort()));
    return new Caller(calls, address);
  }

  /** Calls one address. */
  record Caller(WebhookCalls calls, URI address) {
    WebhookOutcome call() {
      return calls.call(address, List.of(WebhookSecret.of(SECRET)), EVENT);
    }
  }

  InetSocketAddress server(String address, int port, HttpHandler handler) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(address, port), 10);
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    server.setExecutor(threads);
    server.createContext("/", handler);
    server.start();
    opened((AutoCloseable) threads::shutdownNow);
    opened((AutoCloseable) () -> server.stop(0));
    return server.getAddress();
  }

  private <T extends AutoCloseable> T opened(T one) {
    open.add(one);
    return one;
  }

  static HttpHandler counted(AtomicInteger calls) {
    return exchange -> {
      calls.incrementAndGet();
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    };
  }

  HttpHandler answer(int status) {
    return exchange -> {
      received.add(fields(exchange));
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    };
  }

  private static Map<String, String> fields(HttpExchange exchange) throws IOException {
    var fields = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    exchange.getRequestHeaders().forEach((name, values) -> fields.put(name, values.getFirst()));
    fields.put("method", exchange.getRequestMethod());
    fields.put("uri", exchange.getRequestURI().toString());
    fields.put(
        "body", new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    return fields;
  }

  /** Allows any address, and resolves one name to addresses of this machine. */
  static AddressGuard several(String name, int... last) {
    return new AddressGuard(
        host -> {
          assertThat(host).isEqualTo(name);
          return addresses(host, last);
        },
        _ -> true);
  }

  static InetAddress[] addresses(String host, int... last) throws UnknownHostException {
    var addresses = new InetAddress[last.length];
    for (int i = 0; i < last.length; i++) {
      addresses[i] = InetAddress.getByAddress(host, new byte[] {127, 0, 0, (byte) last[i]});
    }
    return addresses;
  }
}
