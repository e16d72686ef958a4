package social.feed.streams.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.function.aws.LambdaApplicationContextBuilder;
import io.micronaut.function.executor.FunctionInitializer;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Arrays;
import org.crac.Core;
import social.feed.streams.Multiplexer;
import social.feed.streams.plan.Lane;

/**
 * The Lambda function. Each lane has an event source mapping that calls it by an alias of its own,
 * and the alias says the lane.
 */
public class MultiplexerFunction extends FunctionInitializer
    implements RequestHandler<DynamodbTimeWindowEvent, TimeWindowEventResponse> {
  /** arn:aws:lambda:region:account:function:name:alias. */
  private static final int ALIAS = 7;

  @Inject private Multiplexer multiplexer;
  @Inject private CallDeadline deadline;

  /** Held here, since the context of snapshots does not hold it. */
  @Inject private Priming priming;

  /** Creates the function as Lambda does, with settings from the environment. */
  public MultiplexerFunction() {
    Core.getGlobalContext().register(priming);
  }

  @Override
  protected ApplicationContextBuilder newApplicationContextBuilder() {
    return new LambdaApplicationContextBuilder();
  }

  @Override
  public TimeWindowEventResponse handleRequest(DynamodbTimeWindowEvent event, Context context) {
    deadline.begin(Duration.ofMillis(context.getRemainingTimeInMillis()));
    return multiplexer.handle(lane(context.getInvokedFunctionArn()), event);
  }

  /** The lane whose alias was called. */
  private static Lane lane(String invokedArn) {
    var parts = invokedArn.split(":", -1);
    return Arrays.stream(Lane.values())
        .filter(lane -> parts.length > ALIAS && parts[ALIAS].equals(lane.alias()))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "%s names no lane. Invoke the function by one of its aliases: %s"
                        .formatted(
                            invokedArn, Arrays.stream(Lane.values()).map(Lane::alias).toList())));
  }
}
