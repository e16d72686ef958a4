package social.feed.engine;

/**
 * The port of 127.0.0.1 a server listens on.
 *
 * @param port 1 to 65535, or 0 for any free one
 */
public record ListenOn(int port) {

  static final String LOOPBACK = "127.0.0.1";

  public ListenOn {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("A port is 0 (any free one) to 65535, not " + port);
    }
  }

  public static ListenOn anyPort() {
    return new ListenOn(0);
  }

  public static ListenOn port(int port) {
    return new ListenOn(port);
  }
}
