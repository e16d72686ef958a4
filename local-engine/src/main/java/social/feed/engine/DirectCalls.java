package social.feed.engine;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptorChain;
import software.amazon.awssdk.core.interceptor.InterceptorContext;
import software.amazon.awssdk.core.internal.interceptor.DefaultFailedExecutionContext;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.dynamodb.services.exceptions.DynamoDBLocalServiceException;
import software.amazon.dynamodb.services.local.embedded.DDBExceptionMappingInvocationHandler;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;

/**
 * Clients that call the engine on the caller's thread, without HTTP. They throw the SDK's
 * exceptions, retry nothing, and hold nothing that needs closing. They run interceptors as the SDK
 * does, without the steps that concern HTTP messages, from marshalling to unmarshalling.
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

  DynamoDbClient dynamoDb(List<ExecutionInterceptor> interceptors) {
    return client(DynamoDbClient.class, engine.dynamoDbClient(), interceptors);
  }

  DynamoDbStreamsClient streams() {
    return client(DynamoDbStreamsClient.class, engine.dynamoDbStreamsClient(), List.of());
  }

  private <C extends SdkClient> C client(
      Class<C> type, C direct, List<ExecutionInterceptor> interceptors) {
    var chain = new ExecutionInterceptorChain(interceptors);
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("close")) {
            return null;
          }
          if (!isCall(method)) {
            // Other forms of a call, such as with a lambda, are default methods that end in it.
            return method.isDefault() && method.getParameterCount() > 0
                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                : method.invoke(direct, arguments);
          }
          return interceptors.isEmpty()
              ? call(direct, method, arguments[0])
              : intercepted(chain, direct, method, (SdkRequest) arguments[0]);
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static boolean isCall(Method method) {
    return method.getParameterCount() == 1
        && SdkRequest.class.isAssignableFrom(method.getParameterTypes()[0])
        && SdkResponse.class.isAssignableFrom(method.getReturnType());
  }

  private Object intercepted(
      ExecutionInterceptorChain chain, SdkClient direct, Method method, SdkRequest request)
      throws Throwable {
    var attributes = new ExecutionAttributes();
    var context = InterceptorContext.builder().request(request).build();
    try {
      chain.beforeExecution(context, attributes);
      context = chain.modifyRequest(context, attributes);
      var response = (SdkResponse) call(direct, method, context.request());
      context = context.toBuilder().response(response).build();
      context = chain.modifyResponse(context, attributes);
      chain.afterExecution(context, attributes);
      return context.response();
    } catch (RuntimeException e) {
      chain.onExecutionFailure(
          DefaultFailedExecutionContext.builder().interceptorContext(context).exception(e).build(),
          attributes);
      throw e;
    }
  }

  private Object call(SdkClient direct, Method method, Object request) throws Throwable {
    try {
      return method.invoke(direct, request);
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
