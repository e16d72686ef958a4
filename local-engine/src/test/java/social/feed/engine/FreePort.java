package social.feed.engine;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Starts a server at a port that is given. Another process may take a free port before the server
 * does, so a start that finds it taken is repeated at another one.
 */
final class FreePort {
  private static final int ATTEMPTS = 5;

  /** No port that systems give an outgoing connection: they begin at 32,768 or 49,152. */
  private static final int FIRST = 15_000;

  private static final int END = 32_000;

  private FreePort() {}

  /** A test of a server at a port. */
  interface AtPort {
    void run(int port) throws IOException;
  }

  /**
   * Runs a test at a free port.
   *
   * @throws PortTakenException when the server finds each of five ports taken
   */
  static void start(AtPort test) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        test.run(free());
        return;
      } catch (PortTakenException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static int free() throws IOException {
    int port;
    do {
      port = ThreadLocalRandom.current().nextInt(FIRST, END);
    } while (!isFree(port));
    return port;
  }

  private static boolean isFree(int port) throws IOException {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (BindException _) {
      return false;
    }
  }
}
