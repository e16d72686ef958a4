package social.feed.api.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;
import io.micronaut.function.executor.FunctionInitializer;
import org.crac.Core;
import social.feed.api.edge.log.RouteMetrics;
import social.feed.table.kernel.store.CallDeadline;
import social.feed.table.kernel.trace.Tracing;

/**
 * The Lambda function. Its context starts once, when Lambda creates the function, before the
 * snapshot that all its instances start from.
 */
public class ApiFunction extends FunctionInitializer
    implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
  private final GatewayHandler handler;

  /** Held here, since the context of snapshots does not hold it. */
  private final ApiPriming priming;

  /** Creates the function as Lambda does, with settings from the environment. */
  public ApiFunction() {
    this.handler = new GatewayHandler(applicationContext);
    this.priming = new ApiPriming(handler);
    Core.getGlobalContext().register(priming);
  }

  /** Creates the function with a context that runs. */
  ApiFunction(ApplicationContext context) {
    super(context);
    this.handler = new GatewayHandler(context);
    this.priming = new ApiPriming(handler);
  }

  @Override
  protected ApplicationContextBuilder newApplicationContextBuilder() {
    return new LambdaApplicationContextBuilder()
        .properties(CursorSecrets.read(System.getenv()))
        .properties(MediaKey.read(System.getenv()));
  }

  @Override
  public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
    var response =
        applicationContext
            .getBean(CallDeadline.class)
            .run(context::getRemainingTimeInMillis, () -> handler.handle(event));
    // An instance stands still between two calls, and may end without notice.
    applicationContext.getBean(RouteMetrics.class).flush();
    applicationContext.findBean(Tracing.class).ifPresent(Tracing::flush);
    return response;
  }
}
