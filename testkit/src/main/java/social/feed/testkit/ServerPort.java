package social.feed.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/**
 * Starts servers that cannot choose a port themselves. Another process may take a free port before
 * the server does, so a start that fails while its port is taken is repeated at another one.
 */
public final class ServerPort {
  private static final int ATTEMPTS = 5;

  /**
   * Systems give an outgoing connection a port from 32,768 or 49,152 on. Such a port can be taken
   * for a moment, and be free again when the failure is looked at.
   */
  private static final int FIRST = 15_000;

  private static final int END = 32_000;

  private ServerPort() {}

  /**
   * Starts a server on loopback.
   *
   * @param start starts the server at a port; where it fails, it leaves no server there
   * @throws RuntimeException of the start, if the port is free after it or if it was the fifth
   */
  public static <T> T start(IntFunction<T> start) {
    for (int attempt = 1; ; attempt++) {
      int port = free();
      try {
        return start.apply(port);
      } catch (RuntimeException e) {
        if (attempt == ATTEMPTS || isFree(port)) {
          throw e;
        }
      }
    }
  }

  private static int free() {
    int port;
    do {
      port = ThreadLocalRandom.current().nextInt(FIRST, END);
    } while (!isFree(port));
    return port;
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (BindException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
