package social.feed.engine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * The port of 127.0.0.1 a server listens on.
 *
 * @param port 1 to 65535, or 0 for any free one
 */
public record ListenOn(int port) {

  static final String LOOPBACK = "127.0.0.1";

  public ListenOn {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("A port must be 0 (any free one) to 65535, not " + port);
    }
  }

  public static ListenOn anyPort() {
    return new ListenOn(0);
  }

  public static ListenOn port(int port) {
    return new ListenOn(port);
  }

  /**
   * Returns if a server can listen on this port now. Callers check it first, so that a taken port
   * is reported before anything slow begins.
   *
   * @throws PortTakenException another program listens there
   */
  public void requireFree(String server) {
    try (var probe = new ServerSocket()) {
      // Servers set this option as well: lingering connections of an earlier run do not block the
      // port.
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(LOOPBACK, port));
    } catch (IOException e) {
      throw new PortTakenException(server, port, e);
    }
  }
}
