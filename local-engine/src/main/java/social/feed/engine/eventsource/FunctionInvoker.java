package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.TimeWindow;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Calls the function with records of one shard, and keeps the state of its tumbling window. */
final class FunctionInvoker {

  /** Whether a call ends its tumbling window. */
  enum WindowEnd {
    NOT_YET,
    /** The time or the shard of the window is over. */
    ON_TIME,
    /** The state of the window exceeded a megabyte. */
    EARLY
  }

  private final Subscription subscription;
  private final ShardId shard;
  private final BatchResponses responses;
  private final EventSourceState sourceState;
  private final BooleanSupplier stopped;
  private volatile @Nullable OpenWindow window;

  FunctionInvoker(
      Subscription subscription,
      ShardId shard,
      EventSourceState sourceState,
      BooleanSupplier stopped,
      @Nullable OpenWindow window) {
    this.subscription = subscription;
    this.shard = shard;
    this.responses = new BatchResponses(subscription.mapping());
    this.sourceState = sourceState;
    this.stopped = stopped;
    this.window = window;
  }

  @Nullable OpenWindow window() {
    return window;
  }

  /** Sets the window of the next call; null if none is open. */
  void setWindow(@Nullable OpenWindow restored) {
    window = restored;
  }

  InvocationOutcome invoke(List<BatchRecord> batch) {
    return call(batch, event(batch, WindowEnd.NOT_YET), false);
  }

  /** Makes the final call of a window, which has no records. */
  InvocationOutcome invokeFinal(WindowEnd end) {
    return call(List.of(), event(List.of(), end), true);
  }

  private InvocationOutcome call(
      List<BatchRecord> batch, DynamodbTimeWindowEvent event, boolean isFinal) {
    try {
      TimeWindowEventResponse response = tracked(() -> subscription.function().handle(event));
      if (isFinal) {
        return new InvocationOutcome.Handled();
      }
      return window == null ? responses.outcome(batch, response) : inWindow(batch, response);
    } catch (StoppedException e) {
      throw e;
    } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
      return new InvocationOutcome.Failed(e.toString());
    }
  }

  /** Runs a call and tracks it as running, so that a drain waits for its effects. */
  <T extends @Nullable Object> T tracked(Callable<T> effect) throws Exception {
    sourceState.begin(stopped);
    try {
      return effect.call();
    } finally {
      sourceState.end();
    }
  }

  private InvocationOutcome inWindow(
      List<BatchRecord> batch, @Nullable TimeWindowEventResponse response) {
    @Nullable Map<String, String> state = response == null ? null : response.getState();
    if (state == null) {
      return new InvocationOutcome.Failed("The response lacks the state of the tumbling window");
    }
    InvocationOutcome outcome = responses.outcome(batch, response);
    OpenWindow open = window;
    if (open != null && !(outcome instanceof InvocationOutcome.Failed)) {
      window = open.with(state);
    }
    return outcome;
  }

  private DynamodbTimeWindowEvent event(List<BatchRecord> batch, WindowEnd end) {
    DynamodbTimeWindowEvent event = new DynamodbTimeWindowEvent();
    event.setRecords(batch.stream().map(BatchRecord::record).toList());
    OpenWindow open = window;
    if (open != null) {
      event.setShardId(shard.shardId());
      event.setEventSourceArn(shard.streamArn());
      event.setWindow(new TimeWindow(open.start().toString(), open.end().toString()));
      event.setState(open.state());
      event.setIsFinalInvokeForWindow(end != WindowEnd.NOT_YET);
      event.setIsWindowTerminatedEarly(end == WindowEnd.EARLY);
    }
    return event;
  }
}
