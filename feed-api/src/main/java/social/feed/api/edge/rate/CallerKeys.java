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
 * Determines the caller that a request counts for: the user of a valid token, otherwise the
 * address.
 */
@Singleton
final class CallerKeys {
  /** The network part of an IPv6 address; the client can choose the rest. */
  private static final int NETWORK_BYTES = 8;

  /** Addresses as some proxies write them: IPv6 in brackets, and both kinds with the port. */
  private static final Pattern WITH_PORT =
      Pattern.compile("\\[([0-9a-fA-F:.]+)](?::\\d+)?|([0-9.]+):\\d+");

  private final @Nullable String addressHeader;

  CallerKeys(RateConfiguration rate) {
    this.addressHeader = rate.addressHeader();
  }

  String of(HttpRequest<?> request) {
    return request
        .getUserPrincipal()
        .map(member -> member(member.getName()))
        .orElseGet(() -> address(request));
  }

  /** Returns the key of the requests of an account. */
  static String member(String userId) {
    return "member " + userId;
  }

  /** Returns the address of a request, with or without a valid token. */
  String address(HttpRequest<?> request) {
    return "address "
        + forwarded(request)
            .map(CallerKeys::network)
            .orElseGet(() -> network(request.getRemoteAddress().getAddress()));
  }

  /**
   * Returns the last address in the header, which the proxy wrote. Clients can forge the others.
   */
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
    Matcher withPort = WITH_PORT.matcher(written);
    String address =
        withPort.matches() ? withPort.group(withPort.group(1) == null ? 2 : 1) : written;
    try {
      return network(InetAddress.ofLiteral(address));
    } catch (IllegalArgumentException e) {
      // A proxy may write another form.
      return address;
    }
  }

  private static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
