package social.feed.api.rate;

import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Whom a request is counted for: the member whose token was found valid, everybody else by address.
 */
@Singleton
final class Callers {
  /** Of an IPv6 address; the rest is the client's to choose. */
  private static final int NETWORK_BYTES = 8;

  private final @Nullable String addressHeader;

  Callers(RateConfiguration rate) {
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
    String forwarded = addressHeader == null ? null : request.getHeaders().get(addressHeader);
    if (forwarded != null) {
      // Only the last one is the proxy's own; what stands before may be the client's invention.
      return "address " + forwarded.substring(forwarded.lastIndexOf(',') + 1).strip();
    }
    InetAddress address = request.getRemoteAddress().getAddress();
    byte[] bytes = address.getAddress();
    return "address "
        + HexFormat.of()
            .formatHex(
                address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
