package social.feed.testkit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test class a {@link TestTable} of its own, and each test a {@link SeedWorld} in it
 * with fresh names, by parameter.
 */
public final class EngineExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(EngineExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    var type = parameter.getParameter().getType();
    return type == TestTable.class || type == SeedWorld.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var table = tableOf(context);
    return parameter.getParameter().getType() == TestTable.class
        ? table
        : new SeedWorld(table.table(), table.clock());
  }

  private static TestTable tableOf(ExtensionContext context) {
    var testClass = context.getRequiredTestClass();
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(testClass, _ -> TestTable.start(), TestTable.class);
  }
}
