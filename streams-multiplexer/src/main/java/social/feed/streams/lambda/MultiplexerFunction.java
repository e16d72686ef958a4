package social.feed.streams.lambda;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import io.micronaut.function.aws.MicronautRequestHandler;
import jakarta.inject.Inject;
import org.crac.Core;
import social.feed.streams.Multiplexer;

/**
 * The Lambda function. Both event source mappings call it: the one with a tumbling window for the
 * counts, the other for the effects.
 */
public class MultiplexerFunction
    extends MicronautRequestHandler<DynamodbTimeWindowEvent, TimeWindowEventResponse> {

  @Inject private Multiplexer multiplexer;

  /** Held here, since the context of snapshots does not. */
  @Inject private Priming priming;

  /** As Lambda makes it: with what the environment says. */
  public MultiplexerFunction() {
    Core.getGlobalContext().register(priming);
  }

  @Override
  public TimeWindowEventResponse execute(DynamodbTimeWindowEvent event) {
    return multiplexer.handle(event);
  }
}
