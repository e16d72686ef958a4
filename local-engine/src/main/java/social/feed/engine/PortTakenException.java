package social.feed.engine;

/** Another program, or another run of this one, listens on the port already. */
public final class PortTakenException extends RuntimeException {

  private final int port;

  PortTakenException(String server, int port, Throwable cause) {
    super(
        "%s cannot listen on 127.0.0.1:%d, because the port is taken. Stop the program that holds it (ss -ltnp 'sport = :%d' names it), or choose another port; 0 takes any free one."
            .formatted(server, port, port),
        cause);
    this.port = port;
  }

  public int port() {
    return port;
  }
}
