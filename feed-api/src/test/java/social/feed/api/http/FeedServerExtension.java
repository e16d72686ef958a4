package social.feed.api.http;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import social.feed.testkit.SeedWorld;

/**
 * Injects the {@link FeedServer} that all tests of this process share, and worlds with unique names
 * in its table. The server ends with the process: Maven runs each class on its own in a process
 * that it uses again, so a server of JUnit's root context would be one for each class.
 */
public final class FeedServerExtension implements ParameterResolver {
  /** Starts the server with the first test that needs it. */
  private static final class Shared {
    private static final FeedServer SERVER = start();

    private static FeedServer start() {
      var server = FeedServer.start();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      return server;
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == FeedServer.class || type == SeedWorld.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == FeedServer.class
        ? Shared.SERVER
        : Shared.SERVER.world();
  }
}
