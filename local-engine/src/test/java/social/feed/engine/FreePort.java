package social.feed.engine;

import java.io.IOException;
import java.net.ServerSocket;

/**
 * Starts a server at a port that is given. Another process may take a free port before the server
 * does, so a start that finds it taken is repeated at another one.
 */
final class FreePort {
  private static final int ATTEMPTS = 5;

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
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
