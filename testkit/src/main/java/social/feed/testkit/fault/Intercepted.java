package social.feed.testkit.fault;

import java.util.List;
import java.util.function.Function;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptorChain;
import software.amazon.awssdk.core.interceptor.InterceptorContext;
import software.amazon.awssdk.core.internal.interceptor.DefaultFailedExecutionContext;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * A wire that runs interceptors as the SDK does, for clients without HTTP. It skips the steps that
 * concern HTTP messages, from marshalling to unmarshalling.
 */
public final class Intercepted implements Wire {
  private final ExecutionInterceptorChain chain;

  public Intercepted(List<ExecutionInterceptor> interceptors) {
    this.chain = new ExecutionInterceptorChain(interceptors);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    var attributes = new ExecutionAttributes();
    var context = InterceptorContext.builder().request(request).build();
    try {
      chain.beforeExecution(context, attributes);
      context = chain.modifyRequest(context, attributes);
      A response = table.apply((Q) context.request());
      context = context.toBuilder().response((SdkResponse) response).build();
      context = chain.modifyResponse(context, attributes);
      chain.afterExecution(context, attributes);
      return (A) context.response();
    } catch (RuntimeException e) {
      chain.onExecutionFailure(
          DefaultFailedExecutionContext.builder().interceptorContext(context).exception(e).build(),
          attributes);
      throw e;
    }
  }
}
