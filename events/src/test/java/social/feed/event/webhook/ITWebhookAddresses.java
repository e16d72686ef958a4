package social.feed.event.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses a webhook may have, and at which of them it is called. */
class ITWebhookAddresses extends WebhookScenario {
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
  void nameWithoutAddresses_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calls(false).requireReachable(URI.create("https://nothing.invalid/")))
        .withMessageContaining("host");
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

  private static AddressGuard guard(AddressGuard.Lookup lookup) {
    return new AddressGuard(lookup, AddressGuard::isPublic);
  }
}
