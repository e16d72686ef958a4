package social.feed.api.function;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.ApplicationConfiguration;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The function under AWS's runtime client, behind a gateway, in place of the server that the API
 * brings. So all tests of the API send their requests through the function here.
 */
@Singleton
final class FunctionServer implements EmbeddedServer {
  private final ApplicationContext context;
  private final ApplicationConfiguration configuration;
  private @Nullable RuntimeClient client;
  private @Nullable GatewayBridge gateway;

  FunctionServer(ApplicationContext context, ApplicationConfiguration configuration) {
    this.context = context;
    this.configuration = configuration;
  }

  @Override
  public EmbeddedServer start() {
    if (gateway == null) {
      RuntimeClient started = new RuntimeClient(context);
      client = started;
      try {
        gateway = new GatewayBridge(started::invoke);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return this;
  }

  /** Returns the client of the function, for events of a test's own. */
  RuntimeClient client() {
    return Objects.requireNonNull(client);
  }

  @Override
  public EmbeddedServer stop() {
    context.stop();
    return this;
  }

  @PreDestroy
  void disconnect() {
    if (gateway != null) {
      gateway.close();
      gateway = null;
    }
  }

  /** Starts the server where a test was created, eagerly as all beans, before the server. */
  @Override
  public URI getURI() {
    start();
    return Objects.requireNonNull(gateway).uri();
  }

  @Override
  public URL getURL() {
    try {
      return getURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int getPort() {
    return getURI().getPort();
  }

  @Override
  public String getHost() {
    return getURI().getHost();
  }

  @Override
  public String getScheme() {
    return getURI().getScheme();
  }

  @Override
  public boolean isRunning() {
    return gateway != null;
  }

  @Override
  public ApplicationContext getApplicationContext() {
    return context;
  }

  @Override
  public ApplicationConfiguration getApplicationConfiguration() {
    return configuration;
  }
}
