package social.feed.local;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import social.feed.engine.PortTakenException;

/** The API in this process, with the development issuer enabled. */
final class ApiServer implements AutoCloseable {
  static final String NAME = "The API";

  private final EmbeddedServer server;
  private final int port;

  private ApiServer(EmbeddedServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Prepares the API without binding its port. It sends no request to DynamoDB yet.
   *
   * @param media where the bytes of files are
   * @param ofPage what the page shows of this process, and its search index
   */
  static ApiServer prepare(
      int port, URI dynamodb, Secrets secrets, Path media, StreamControl stream, Object... ofPage) {
    var context =
        ApplicationContext.builder()
            .environments("local")
            .deduceEnvironment(false)
            .banner(false)
            .singletons(stream)
            .singletons(ofPage)
            .properties(
                Map.ofEntries(
                    Map.entry("micronaut.server.port", port == 0 ? -1 : port),
                    Map.entry("feed.dynamodb.endpoint", dynamodb.toString()),
                    Map.entry("feed.dynamodb.local", "true"),
                    Map.entry("feed.dynamodb.region", "us-east-1"),
                    Map.entry("feed.dynamodb.table", PlatformSettings.TABLE),
                    Map.entry("feed.pull.registry-cached", "0s"),
                    Map.entry("feed.cursor.secret", secrets.cursor()),
                    Map.entry("feed.dev-issuer.enabled", "true"),
                    Map.entry("feed.dev-issuer.secret", secrets.devIssuer()),
                    Map.entry("feed.webhooks.enabled", "true"),
                    Map.entry("feed.webhooks.allow-private", "true"),
                    Map.entry("feed.media.folder", media.toString())))
            .start();
    try {
      return new ApiServer(context.getBean(EmbeddedServer.class), port);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  /**
   * Binds the port and returns when requests are answered.
   *
   * @throws PortTakenException if another program listens there
   */
  void listen() {
    try {
      server.start();
    } catch (RuntimeException e) {
      if (Stream.iterate((Throwable) e, t -> t != null, Throwable::getCause)
          .anyMatch(BindException.class::isInstance)) {
        throw new PortTakenException(NAME, port, e);
      }
      throw e;
    }
  }

  URI url() {
    return server.getURI();
  }

  @Override
  public void close() {
    server.getApplicationContext().close();
  }
}
