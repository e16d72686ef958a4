package social.feed.testkit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Resolves test parameters: a {@link TestTable} for each test class, and a {@link SeedWorld} with
 * new names for each test.
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
