package social.feed.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.function.IntFunction;

/**
 * Starts servers that cannot choose a port themselves. Another process may take a free port before
 * the server does, so a start that fails while its port is taken is repeated at another one.
 */
public final class ServerPort {
  private static final int ATTEMPTS = 5;

  private ServerPort() {}

  /**
   * Starts a server on loopback.
   *
   * @param start starts the server at a port; where it fails, it leaves no server there
   * @throws RuntimeException of the start, if the port is free after it or if it was the fifth
   */
  public static <T> T start(IntFunction<T> start) {
    for (int attempt = 1; ; attempt++) {
      int port = bound(0);
      try {
        return start.apply(port);
      } catch (RuntimeException e) {
        if (attempt == ATTEMPTS || isFree(port)) {
          throw e;
        }
      }
    }
  }

  private static boolean isFree(int port) {
    try {
      return bound(port) == port;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof BindException) {
        return false;
      }
      throw e;
    }
  }

  /** Binds a port, or any with 0, and returns it when it is free again. */
  private static int bound(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
