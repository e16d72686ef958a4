package social.feed.testkit.fault;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.store.Table;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/**
 * Creates clients that send their calls over a {@link Wire}. They wrap any client, including one
 * without interceptors. The exceptions of a fault are those that a store receives after the SDK's
 * retries.
 */
public final class WiredClient implements InvocationHandler {
  private final DynamoDbClient table;
  private final Wire wire;

  private WiredClient(DynamoDbClient table, Wire wire) {
    this.table = table;
    this.wire = wire;
  }

  /** Returns a client whose calls go over the wire to another client, which keeps its owner. */
  public static DynamoDbClient of(DynamoDbClient table, Wire wire) {
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            WiredClient.class.getClassLoader(),
            new Class<?>[] {DynamoDbClient.class},
            new WiredClient(table, wire));
  }

  /** Returns a table as seen through one more wire. */
  public static Table table(Table table, Wire wire) {
    return new Table(of(table.client(), wire), table.name(), table.retry());
  }

  /**
   * Sends calls with a request over the wire. Other forms of a call, such as those with a lambda or
   * with pages, are default methods that end in one with a request.
   */
  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "close" -> null;
      case "serviceName", "toString" -> table.toString();
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> proxy == arguments[0];
      case "waiter" -> DynamoDbWaiter.builder().client((DynamoDbClient) proxy).build();
      default ->
          isCall(method)
              ? send((DynamoDbRequest) arguments[0], method)
              : InvocationHandler.invokeDefault(proxy, method, arguments);
    };
  }

  private static boolean isCall(Method method) {
    return method.getParameterCount() == 1
        && DynamoDbRequest.class.isAssignableFrom(method.getParameterTypes()[0])
        && method.getReturnType().getSimpleName().endsWith("Response");
  }

  /** A description of the table bypasses the wire, since it reads metadata instead of items. */
  private Object send(DynamoDbRequest request, Method method) {
    return request instanceof DescribeTableRequest
        ? call(method, request)
        : wire.send(request, sent -> call(method, sent));
  }

  private Object call(Method method, DynamoDbRequest request) {
    try {
      return method.invoke(table, request);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException failed ? failed : new IllegalStateException(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
