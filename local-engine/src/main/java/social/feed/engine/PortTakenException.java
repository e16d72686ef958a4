package social.feed.engine;

import java.util.stream.Stream;

/**
 * The port cannot be had, mostly because another program, or another run of this one, listens there
 * already. How another one is chosen is for the caller to say.
 */
public final class PortTakenException extends RuntimeException {

  private final int port;

  public PortTakenException(String server, int port, Throwable cause) {
    super(
        "%s cannot listen on %s:%d, because %s"
            .formatted(server, ListenOn.LOOPBACK, port, reason(cause)),
        cause);
    this.port = port;
  }

  /** A port below 1024 may be free and still refused. */
  private static String reason(Throwable cause) {
    boolean refused =
        Stream.iterate(cause, t -> t != null, Throwable::getCause)
            .anyMatch(t -> String.valueOf(t.getMessage()).contains("ermission denied"));
    return refused ? "this user may not" : "the port is taken";
  }

  public int port() {
    return port;
  }
}
