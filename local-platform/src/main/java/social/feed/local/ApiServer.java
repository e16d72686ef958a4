package social.feed.local;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.util.Map;

/** The API in this process, with the development issuer on. */
final class ApiServer implements AutoCloseable {
  private final EmbeddedServer server;

  private ApiServer(EmbeddedServer server) {
    this.server = server;
  }

  static ApiServer start(int port, URI dynamodb, Secrets secrets, StreamDesk stream) {
    var context =
        ApplicationContext.builder()
            .environments("local")
            .deduceEnvironment(false)
            .banner(false)
            .singletons(stream)
            .properties(
                Map.of(
                    "micronaut.server.port",
                    port == 0 ? -1 : port,
                    "feed.dynamodb.endpoint",
                    dynamodb.toString(),
                    "feed.dynamodb.table",
                    PlatformSettings.TABLE,
                    "feed.cursor.secret",
                    secrets.cursor(),
                    "feed.dev-issuer.enabled",
                    "true",
                    "feed.dev-issuer.secret",
                    secrets.devIssuer()))
            .start();
    try {
      return new ApiServer(context.getBean(EmbeddedServer.class).start());
    } catch (RuntimeException e) {
      context.close();
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
