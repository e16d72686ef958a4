package social.feed.engine;

import java.util.stream.Stream;

/**
 * Thrown when the port cannot be bound, usually because another program, or another run of this
 * one, listens there. The caller adds how to choose another port.
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

  /** A port below 1024 may be free and not be permitted for this user. */
  private static String reason(Throwable cause) {
    boolean notPermitted =
        Stream.iterate(cause, t -> t != null, Throwable::getCause)
            .anyMatch(t -> String.valueOf(t.getMessage()).contains("ermission denied"));
    return notPermitted ? "this user may not" : "the port is taken";
  }

  public int port() {
    return port;
  }
}
