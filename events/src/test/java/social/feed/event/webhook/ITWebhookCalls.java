package social.feed.event.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.event.EventType;

/** Calls of webhooks to real servers on this machine, some of them hostile. */
class ITWebhookCalls {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  /** The longest time of a call that has no answer. */
  private static final Duration SOON = Duration.ofMillis(700);

  /**
   * The longest time of a call that has one. On a busy machine, each call may take some seconds.
   */
  private static final Duration LATE = Duration.ofSeconds(30);

  private static final DomainEvent EVENT =
      new DomainEvent(
          EventType.ACCOUNT_ERASED,
          NOW,
          "account:ann",
          "1",
          "ann",
          new TreeMap<>(Map.of("user_id", "ann")));

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Map<String, String>> received = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (var one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void call_isSignedAsStandardWebhooksHasIt() throws Exception {
    var server = server("127.0.0.1", 0, answer(204));

    var outcome = caller(calls(true), server, "127.0.0.1").call();

    assertThat(outcome.isDelivered()).isTrue();
    assertThat(outcome.status()).isEqualTo(204);
    assertThat(outcome.error()).isNull();
    var call = received.getFirst();
    assertThat(call).containsEntry("method", "POST").containsEntry("body", EventJson.write(EVENT));
    assertThat(call.get("content-type")).startsWith("application/json");
    assertThat(call).containsEntry("webhook-id", EVENT.id());
    assertThat(call).containsEntry("webhook-timestamp", Long.toString(NOW.getEpochSecond()));
    var signed = EVENT.id() + "." + NOW.getEpochSecond() + "." + call.get("body");
    assertThat(call).containsEntry("webhook-signature", "v1," + hmac(signed));
  }

  /** While a secret is replaced, receivers with either one accept the call. */
  @Test
  void call_withTwoSecrets_hasBothSignatures() throws Exception {
    var server = server("127.0.0.1", 0, answer(204));
    var address = URI.create("http://127.0.0.1:" + server.getPort());

    calls(true).call(address, List.of(WebhookSecret.random(), WebhookSecret.of(SECRET)), EVENT);

    var call = received.getFirst();
    var signed = EVENT.id() + "." + NOW.getEpochSecond() + "." + call.get("body");
    assertThat(String.valueOf(call.get("webhook-signature")).split(" ", -1))
        .hasSize(2)
        .contains("v1," + hmac(signed));
  }

  @Test
  void nameWithoutAddresses_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calls(false).requireReachable(URI.create("https://nothing.invalid/")))
        .withMessageContaining("host");
  }

  /** The example of the specification's own libraries. */
  @Test
  void signature_isThatOfTheReferenceImplementation() {
    var signature =
        WebhookSecret.of(SECRET)
            .signature(
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                Instant.ofEpochSecond(1_614_265_330),
                "{\"test\": 2432232314}");
    assertThat(signature).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  /** As a receiver checks a call, while a secret is replaced as well. */
  @Test
  void signature_isRecognized_ofTheSameCallOnly() {
    var secret = WebhookSecret.of(SECRET);
    var at = Instant.ofEpochSecond(1_614_265_330);
    var signature = secret.signature("msg_1", at, "{}");

    assertThat(secret.hasSigned("msg_1", at, "{}", signature)).isTrue();
    assertThat(secret.hasSigned("msg_1", at, "{}", "v1,AAAA " + signature)).isTrue();
    assertThat(secret.hasSigned("msg_2", at, "{}", signature)).isFalse();
    assertThat(secret.hasSigned("msg_1", at.plusSeconds(1), "{}", signature)).isFalse();
    assertThat(secret.hasSigned("msg_1", at, "{ }", signature)).isFalse();
    assertThat(secret.hasSigned("msg_1", at, "{}", "")).isFalse();
    assertThat(WebhookSecret.random().hasSigned("msg_1", at, "{}", signature)).isFalse();
  }

  @Test
  void secret_isNewEachTime_andReadAgain() {
    var secret = WebhookSecret.random();
    assertThat(WebhookSecret.of(secret.text()).text()).isEqualTo(secret.text());
    assertThat(WebhookSecret.random().text()).isNotEqualTo(secret.text());
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 64})
  void secret_ofTheShortestAndTheLongestLength_isReadAgain(int bytes) {
    var text = WebhookSecret.of(new byte[bytes]).text();
    assertThat(WebhookSecret.of(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "secret", "whsec_", "whsec_AAAA", "whsec_!!!"})
  void secret_thatIsNone_isRefusedWithoutShowingIt(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookSecret.of(text))
        .withMessageStartingWith("The secret of a webhook");
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503})
  void answerThatIsNoSuccess_isAFailure(int status) throws Exception {
    var server = server("127.0.0.1", 0, answer(status));
    var outcome = caller(calls(true), server, "127.0.0.1").call();
    assertThat(outcome.isDelivered()).isFalse();
    assertThat(outcome.status()).isEqualTo(status);
    assertThat(outcome.error()).contains("answered " + status);
    assertThat(received).hasSize(1);
  }

  @Test
  void redirect_isNotFollowed() throws Exception {
    var inner = new AtomicInteger();
    var target = server("127.0.0.1", 0, counted(inner));
    var server =
        server(
            "127.0.0.1",
            0,
            exchange -> {
              exchange
                  .getResponseHeaders()
                  .add("Location", "http://127.0.0.1:%d/".formatted(target.getPort()));
              exchange.sendResponseHeaders(307, -1);
              exchange.close();
            });

    assertThat(caller(calls(true), server, "127.0.0.1").call().error()).contains("307");

    assertThat(inner).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.8.8",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[::]",
        "0.0.0.0",
        "2130706433",
        "169.254.169.254",
        "[::ffff:169.254.169.254]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[64:ff9b::7f00:1]",
        "[2001::f5ff:fffe]",
        "[2001:1ff::1]",
        "[2001:db8::1]",
        "[2002:7f00:1::1]",
        "[3fff::1]",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "100.64.0.0",
        "100.127.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "[ff02::1]"
      })
  void addressInsideTheNetwork_isRefused(String host) throws Exception {
    var inner = new AtomicInteger();
    var server = server("127.0.0.1", 0, counted(inner));
    // Not by its scheme: https is required of it as well.
    var calls = calls(guard(InetAddress::getAllByName), true, SOON);

    assertThat(caller(calls, server, host).call().isDelivered()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calls.requireReachable(URI.create("https://%s/hook".formatted(host))));

    assertThat(inner).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.8.8.8",
        "100.63.255.255",
        "100.128.0.0",
        "172.32.0.1",
        "192.169.0.1",
        "2606:4700::1"
      })
  void addressOfTheInternet_isPublic(String address) throws Exception {
    assertThat(AddressGuard.isPublic(InetAddress.getByName(address))).isTrue();
  }

  @Test
  void name_withOnePrivateAddress_isRefused() throws Exception {
    var both =
        new InetAddress[] {
          InetAddress.getByAddress("both.test", new byte[] {8, 8, 8, 8}),
          InetAddress.getByAddress("both.test", new byte[] {10, 0, 0, 1})
        };
    assertThatExceptionOfType(UnknownHostException.class)
        .isThrownBy(() -> guard(_ -> both).resolve("both.test"))
        .withMessageContaining("10.0.0.1");
  }

  /** The name means an allowed address when it is checked, and another one a moment later. */
  @Test
  void nameThatIsBoundAgain_isNeverCalledAtTheOtherAddress() throws Exception {
    var inner = new AtomicInteger();
    var outer = new AtomicInteger();
    var secret = server("127.0.0.1", 0, counted(inner));
    server("127.0.0.2", secret.getPort(), counted(outer));
    var lookups = new AtomicInteger();
    var guard =
        new AddressGuard(
            host ->
                new InetAddress[] {
                  InetAddress.getByAddress(
                      host,
                      new byte[] {127, 0, 0, (byte) (lookups.getAndIncrement() % 2 == 0 ? 2 : 1)})
                },
            address -> address.getAddress()[3] == 2);
    var caller = caller(calls(guard, true, LATE), secret, "rebind.test");

    for (int i = 0; i < 10; i++) {
      var outcome = caller.call();
      if (!outcome.isDelivered()) {
        assertThat(outcome.error()).contains("not a public address");
      }
    }

    assertThat(inner).hasValue(0);
    assertThat(outer).hasValue(5);
    assertThat(lookups).as("one lookup a call").hasValue(10);
  }

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

  /** The first address refuses connections, as that of a receiver that is being replaced. */
  @Test
  void nameWithSeveralAddresses_isCalledAtTheFirstThatAnswers() throws Exception {
    var server = server("127.0.0.1", 0, answer(204));
    var calls = calls(several("several.test", 3, 2, 1), true, LATE);

    var outcome = caller(calls, server, "several.test").call();

    assertThat(outcome.isDelivered()).as("%s", outcome).isTrue();
    assertThat(received).hasSize(1);
  }

  /** The good address alone would be called. */
  @Test
  void nameWithSeveralAddresses_isNotCalledIfOneIsPrivate() throws Exception {
    var inner = new AtomicInteger();
    var server = server("127.0.0.1", 0, counted(inner));
    var calls =
        calls(
            new AddressGuard(
                host -> addresses(host, 2, 1), address -> address.getAddress()[3] == 1),
            true,
            LATE);

    assertThat(caller(calls, server, "several.test").call().error()).contains("127.0.0.2");

    assertThat(inner).hasValue(0);
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

  private static AddressGuard several(String name, int... last) {
    return new AddressGuard(
        host -> {
          assertThat(host).isEqualTo(name);
          return addresses(host, last);
        },
        _ -> true);
  }

  private static InetAddress[] addresses(String host, int... last) throws UnknownHostException {
    var addresses = new InetAddress[last.length];
    for (int i = 0; i < last.length; i++) {
      addresses[i] = InetAddress.getByAddress(host, new byte[] {127, 0, 0, (byte) last[i]});
    }
    return addresses;
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.test",
        "ftp://example.test",
        "file:///etc/passwd",
        "https:///path",
        "https://user:password@example.test",
        "https://example.test/#fragment",
        "https://8.8.8.8:0/",
        "https://8.8.8.8:65536/",
        "https://8.8.8.8:99999/",
        "https://8.8.8.8:4294967297/",
        "https://8.8.8.8:x/",
        "https://exämple.test/",
        "/relative"
      })
  void addressThatIsNoHttpsAddress_isRefused(String address) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calls(false).require(URI.create(address)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://8.8.8.8",
        "https://8.8.8.8:/",
        "https://8.8.8.8:1/",
        "https://8.8.8.8:65535/",
        "https://8.8.8.8/höök"
      })
  void addressThatCanBeCalled_isAccepted(String address) {
    calls(false).require(URI.create(address));
  }

  /** 500 characters, each of two bytes and six characters when it is sent. */
  @Test
  void addressThatIsTooLongWhenItIsSent_isRefused() {
    var address = URI.create("https://example.test/" + "ö".repeat(500));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calls(false).require(address))
        .withMessageContaining("2048");
  }

  @Test
  void charactersBeyondAscii_areSentEncoded() throws Exception {
    var server = server("127.0.0.1", 0, answer(204));
    var address = URI.create("http://127.0.0.1:%d/höök?q=猫".formatted(server.getPort()));

    assertThat(new Caller(calls(true), address).call().isDelivered()).isTrue();

    assertThat(received.getFirst()).containsEntry("uri", "/h%C3%B6%C3%B6k?q=%E7%8C%AB");
  }

  /** A webhook of an earlier version may have such an address. */
  @Test
  void addressThatCannotBeCalled_isAFailure() {
    var outcome = new Caller(calls(true), URI.create("http://127.0.0.1:99999/")).call();

    assertThat(outcome.isDelivered()).isFalse();
    assertThat(outcome.error()).contains("cannot be made").contains("99999");
  }

  private WebhookCalls calls(boolean allowsPrivate) {
    return opened(new WebhookCalls(allowsPrivate, CLOCK));
  }

  private WebhookCalls calls(AddressGuard guard, boolean allowsHttp, Duration longest) {
    return opened(new WebhookCalls(guard, allowsHttp, CLOCK, longest));
  }

  private static AddressGuard guard(AddressGuard.Lookup lookup) {
    return new AddressGuard(lookup, AddressGuard::isPublic);
  }

  private static Caller caller(WebhookCalls calls, InetSocketAddress server, String host) {
    var address = URI.create("http://%s:%d/hook".formatted(host, server.getPort()));
    return new Caller(calls, address);
  }

  /** Calls one address. */
  private record Caller(WebhookCalls calls, URI address) {
    WebhookOutcome call() {
      return calls.call(address, List.of(WebhookSecret.of(SECRET)), EVENT);
    }
  }

  private InetSocketAddress server(String address, int port, HttpHandler handler)
      throws IOException {
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

  private static HttpHandler counted(AtomicInteger calls) {
    return exchange -> {
      calls.incrementAndGet();
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    };
  }

  private HttpHandler answer(int status) {
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

  private static String hmac(String text) throws Exception {
    var key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }
}
