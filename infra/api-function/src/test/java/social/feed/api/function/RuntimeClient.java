package social.feed.api.function;

import com.amazonaws.services.lambda.runtime.api.client.EventHandlerLoader;
import com.amazonaws.services.lambda.runtime.api.client.HandlerInfo;
import com.amazonaws.services.lambda.runtime.api.client.LambdaRequestHandler;
import com.amazonaws.services.lambda.runtime.api.client.runtimeapi.dto.InvocationRequest;
import io.micronaut.context.ApplicationContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * AWS's runtime client in the process of the tests: it creates the function, reads each event,
 * calls the function with a context of its own, and writes the response. Its process and how it
 * gets events are tested with the zip ({@link ITPackagedApi}).
 */
final class RuntimeClient {
  /** The client creates a function by its class, so what the function needs is in scope here. */
  private static final ScopedValue<RuntimeClient> CREATING = ScopedValue.newInstance();

  /** The time of the deployed function. */
  private static final Duration TIMEOUT = Duration.ofSeconds(28);

  private final ApplicationContext context;
  private final LambdaRequestHandler handler;
  private @Nullable ApiFunction function;

  /** The deployed class but for its context, which is that of a test. */
  public static final class Entry extends ApiFunction {
    public Entry() {
      super(CREATING.get().context);
      CREATING.get().function = this;
    }
  }

  RuntimeClient(ApplicationContext context) {
    this.context = context;
    this.handler =
        ScopedValue.where(CREATING, this)
            .call(() -> EventHandlerLoader.loadEventHandler(new HandlerInfo(Entry.class, null)));
  }

  /** Returns the function that the client has created. */
  ApiFunction function() {
    return Objects.requireNonNull(function);
  }

  /** Passes an event to the function and returns its response, both in JSON. */
  String invoke(String event) {
    InvocationRequest request = new InvocationRequest();
    request.setId(UUID.randomUUID().toString());
    request.setInvokedFunctionArn("arn:aws:lambda:us-east-1:000000000000:function:feed-api:live");
    request.setDeadlineTimeInMs(Instant.now().plus(TIMEOUT).toEpochMilli());
    request.setContent(event.getBytes(StandardCharsets.UTF_8));
    try {
      return handler.call(request).toString(StandardCharsets.UTF_8);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
