package social.feed.api.edge.rate;

import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom a request is counted for: the member whose token was found valid, everybody else by address.
 */
@Singleton
final class CallerKeys {
  /** Of an IPv6 address; the rest is the client's to choose. */
  private static final int NETWORK_BYTES = 8;

  /**
   * As some proxies write them: IPv6 in brackets, and both with the port that was used this time.
   */
  private static final Pattern WITH_MORE =
      Pattern.compile("\\[([0-9a-fA-F:.]+)](?::\\d+)?|([0-9.]+):\\d+");

  private final @Nullable String addressHeader;

  CallerKeys(RateConfiguration rate) {
    this.addressHeader = rate.addressHeader();
  }

  String of(HttpRequest<?> request) {
    return request
        .getUserPrincipal()
        .map(member -> "member " + member.getName())
        .orElseGet(() -> address(request));
  }

  /** The address that a request came from, whoever sent it. */
  String address(HttpRequest<?> request) {
    return "address "
        + forwarded(request)
            .map(CallerKeys::network)
            .orElseGet(() -> network(request.getRemoteAddress().getAddress()));
  }

  /** Only the last one is the proxy's own; what stands before may be the client's invention. */
  private Optional<String> forwarded(HttpRequest<?> request) {
    if (addressHeader == null) {
      return Optional.empty();
    }
    List<String> lines = request.getHeaders().getAll(addressHeader);
    return lines.isEmpty()
        ? Optional.empty()
        : Optional.of(lines.getLast())
            .map(line -> line.substring(line.lastIndexOf(',') + 1).strip());
  }

  private static String network(String written) {
    Matcher more = WITH_MORE.matcher(written);
    String address = more.matches() ? more.group(more.group(1) == null ? 2 : 1) : written;
    try {
      return network(InetAddress.ofLiteral(address));
    } catch (IllegalArgumentException e) {
      // Whatever else a proxy may write.
      return address;
    }
  }

  private static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
