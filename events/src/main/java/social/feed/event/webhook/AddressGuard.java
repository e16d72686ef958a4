package social.feed.event.webhook;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves the host of a webhook. The connection is made to the addresses that were checked here,
 * so a name cannot mean another address a moment later. A name with one address that is not allowed
 * has none.
 */
final class AddressGuard implements DnsResolver {
  /** Looks up all addresses of a name. */
  @FunctionalInterface
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  private static final int BYTE = 0xff;

  /** A lookup of the JDK has no end of its own. */
  private static final Duration LOOKUP = Duration.ofSeconds(5);

  private final Lookup lookup;
  private final Predicate<InetAddress> isAllowed;

  AddressGuard(Lookup lookup, Predicate<InetAddress> isAllowed) {
    this.lookup = lookup;
    this.isAllowed = isAllowed;
  }

  /**
   * Looks up a name as the JDK does, and ends after a time.
   *
   * @throws UnknownHostException also when the name server does not answer
   */
  static InetAddress[] lookedUpInTime(String host) throws UnknownHostException {
    var lookup = new FutureTask<>(() -> InetAddress.getAllByName(host));
    Thread.ofVirtual().start(lookup);
    try {
      return lookup.get(LOOKUP.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownHostException unknown) {
        throw unknown;
      }
      throw new UnknownHostException(host + " cannot be looked up: " + e.getCause());
    } catch (TimeoutException e) {
      throw new UnknownHostException(host + " cannot be looked up: the name server is slow");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host + " was not looked up: the process stops");
    }
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    var addresses = lookup.all(host);
    for (var address : addresses) {
      if (!isAllowed.test(address)) {
        throw new UnknownHostException(
            "%s is %s, which is not a public address".formatted(host, address.getHostAddress()));
      }
    }
    return addresses;
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  /** Whether an address is one of the public internet, as the registries of IANA have them. */
  static boolean isPublic(InetAddress address) {
    if (address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()) {
      return false;
    }
    return switch (address) {
      case Inet4Address four -> isPublic(unsigned(four.getAddress()));
      case Inet6Address six -> isPublicSix(unsigned(six.getAddress()));
      default -> false;
    };
  }

  private static int[] unsigned(byte[] bytes) {
    var numbers = new int[bytes.length];
    Arrays.setAll(numbers, i -> bytes[i] & BYTE);
    return numbers;
  }

  /** Leaves out what RFC 6890 and its successors reserve. */
  private static boolean isPublic(int[] four) {
    return switch (four[0]) {
      case 0, 10, 127 -> false;
      // Shared by providers, RFC 6598.
      case 100 -> four[1] < 64 || four[1] > 127;
      case 169 -> four[1] != 254;
      case 172 -> four[1] < 16 || four[1] > 31;
      case 192 ->
          !(four[1] == 168
              || (four[1] == 0 && (four[2] == 0 || four[2] == 2))
              || (four[1] == 88 && four[2] == 99));
      case 198 -> four[1] != 18 && four[1] != 19 && !(four[1] == 51 && four[2] == 100);
      case 203 -> !(four[1] == 0 && four[2] == 113);
      default -> four[0] < 224;
    };
  }

  /** Global unicast only, without the parts that lead to an address of version 4. */
  private static boolean isPublicSix(int[] six) {
    boolean isGlobal = (six[0] & 0xe0) == 0x20;
    boolean isSixToFour = six[0] == 0x20 && six[1] == 0x02;
    boolean isProtocol = six[0] == 0x20 && six[1] == 0x01 && six[2] < 0x02;
    boolean isDocumentation =
        (six[0] == 0x20 && six[1] == 0x01 && six[2] == 0x0d && six[3] == 0xb8)
            || (six[0] == 0x3f && six[1] == 0xff);
    return isGlobal && !isSixToFour && !isProtocol && !isDocumentation;
  }
}
