package social.feed.engine;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.exceptions.DynamoDBLocalServiceException;
import software.amazon.dynamodb.services.local.embedded.DDBExceptionMappingInvocationHandler;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

/**
 * Clients that call the engine on the caller's thread, without HTTP. They throw the SDK's
 * exceptions, run no interceptors, retry nothing, and hold nothing that needs closing.
 */
final class DirectCalls {
  private final AmazonDynamoDBLocal engine;
  private final Consumer<String> called;

  /**
   * Creates clients of an engine.
   *
   * @param called receives the operation of each call after it, such as {@code putItem}
   */
  DirectCalls(AmazonDynamoDBLocal engine, Consumer<String> called) {
    this.engine = engine;
    this.called = called;
  }

  DynamoDbClient dynamoDb() {
    return client(DynamoDbClient.class, engine.dynamoDbClient());
  }

  DynamoDbStreamsClient streams() {
    return client(DynamoDbStreamsClient.class, engine.dynamoDbStreamsClient());
  }

  private <C extends SdkClient> C client(Class<C> type, C direct) {
    InvocationHandler handler =
        (_, method, arguments) ->
            method.getName().equals("close") ? null : call(direct, method, arguments);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object call(SdkClient direct, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(direct, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof DynamoDBLocalServiceException failed) {
        DDBExceptionMappingInvocationHandler.handleDynamoDBLocalServiceException(failed);
      }
      throw e.getCause();
    } finally {
      called.accept(method.getName());
    }
  }
}
