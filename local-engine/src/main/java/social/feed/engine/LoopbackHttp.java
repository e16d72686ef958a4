package social.feed.engine;

import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Jetty on 127.0.0.1. It binds the port first, so that a taken port is reported before a database
 * is opened.
 */
final class LoopbackHttp implements AutoCloseable {

  /** SQLite serves one writer at a time, so more threads would only wait. */
  private static final int MAX_THREADS = 64;

  private final Server server;
  private final ServerConnector connector;

  private LoopbackHttp(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  static LoopbackHttp bind(String name, ListenOn listenOn) {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS);
    threads.setName(name);
    threads.setDaemon(true);
    Server server = new Server(threads);
    ServerConnector connector = new ServerConnector(server, 1, 1);
    connector.setHost(ListenOn.LOOPBACK);
    connector.setPort(listenOn.port());
    server.addConnector(connector);
    open(name, listenOn, connector);
    return new LoopbackHttp(server, connector);
  }

  private static void open(String name, ListenOn listenOn, ServerConnector connector) {
    try {
      connector.open();
    } catch (IOException e) {
      if (Stream.iterate((Throwable) e, t -> t != null, Throwable::getCause)
          .anyMatch(BindException.class::isInstance)) {
        throw new PortTakenException(name, listenOn.port(), e);
      }
      throw new IllegalStateException(name + " cannot listen on loopback", e);
    }
  }

  void serve(Handler handler) {
    server.setHandler(handler);
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty cannot start on " + endpoint(), e);
    }
  }

  URI endpoint() {
    return URI.create("http://" + ListenOn.LOOPBACK + ":" + connector.getLocalPort());
  }

  @Override
  public void close() {
    connector.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty cannot stop", e);
    } finally {
      server.destroy();
    }
  }
}
