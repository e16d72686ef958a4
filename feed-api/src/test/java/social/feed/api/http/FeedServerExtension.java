package social.feed.api.http;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import social.feed.testkit.SeedWorld;

/**
 * Injects the {@link FeedServer} that all tests share, and worlds with unique names in its table.
 */
public final class FeedServerExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(FeedServerExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == FeedServer.class || type == SeedWorld.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    FeedServer server =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent("server", _ -> FeedServer.start(), FeedServer.class);
    return parameter.getParameter().getType() == FeedServer.class ? server : server.world();
  }
}
