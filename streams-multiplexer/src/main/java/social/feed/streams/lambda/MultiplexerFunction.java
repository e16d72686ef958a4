package social.feed.streams.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.function.executor.FunctionInitializer;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.Optional;
import org.crac.Core;
import social.feed.streams.Multiplexer;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.store.CallDeadline;
import social.feed.table.kernel.trace.Tracing;

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
  @Inject private InvocationLog log;
  @Inject private Optional<Tracing> tracing;

  /** Held here, since the context of snapshots does not hold it. */
  @Inject private Priming priming;

  /** Creates the function as Lambda does, with settings from the environment. */
  public MultiplexerFunction() {
    Core.getGlobalContext().register(priming);
  }

  @Override
  protected ApplicationContextBuilder newApplicationContextBuilder() {
    return new FunctionContextBuilder();
  }

  /**
   * Handles a batch, and stops before the invocation ends.
   *
   * @throws IllegalStateException when no record of several was done in time. Lambda then halves
   *     the batch, which it may not do where the response names the first record
   */
  @Override
  public TimeWindowEventResponse handleRequest(DynamodbTimeWindowEvent event, Context context) {
    var lane = lane(context.getInvokedFunctionArn());
    try {
      return log.run(
          context.getAwsRequestId(),
          lane,
          event,
          () -> deadline.run(context::getRemainingTimeInMillis, () -> handle(lane, event)));
    } finally {
      // An instance stands still between two calls, and may end without notice.
      tracing.ifPresent(Tracing::flush);
    }
  }

  private TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    var handled = multiplexer.handle(lane, event);
    if (deadline.isNear() && isNothingDone(event, handled)) {
      throw new IllegalStateException("No record of the batch was done in time");
    }
    return handled;
  }

  private static boolean isNothingDone(
      DynamodbTimeWindowEvent event, TimeWindowEventResponse response) {
    return event.getRecords() != null
        && event.getRecords().size() > 1
        && response.getBatchItemFailures().stream()
            .anyMatch(
                failure ->
                    failure
                        .getItemIdentifier()
                        .equals(event.getRecords().getFirst().getDynamodb().getSequenceNumber()));
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
