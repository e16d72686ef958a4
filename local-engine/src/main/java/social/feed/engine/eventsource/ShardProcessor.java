package social.feed.engine.eventsource;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import social.feed.engine.eventsource.BatchDelivery.Retry;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Processes the records of one shard: opens and closes windows, delivers rounds of calls, saves
 * checkpoints.
 */
final class ShardProcessor {

  private static final Logger LOG = System.getLogger(ShardProcessor.class.getName());

  private final DynamoDbStreamsClient streams;
  private final ShardId shard;
  private final EventSourceMapping mapping;
  private final EventSourceSettings settings;
  private final Checkpoints checkpoints;
  private final MappingCounters counters;
  private final FunctionInvoker invocations;
  private final Retry retry;
  private final ShardLanes lanes;
  private final UnbrokenHead head = new UnbrokenHead();
  private volatile Checkpoint checkpoint;
  private volatile Optional<String> lastError = Optional.empty();

  ShardProcessor(
      EventSourceContext context,
      ShardId shard,
      String partitionKey,
      Subscription subscription,
      MappingCounters counters,
      BooleanSupplier stopped,
      Checkpoint start) {
    EventSourceState sourceState = context.sourceState();
    this.streams = context.streams();
    this.shard = shard;
    this.mapping = subscription.mapping();
    this.settings = context.settings();
    this.checkpoints = context.checkpoints();
    this.counters = counters;
    this.checkpoint = start;
    this.invocations =
        new FunctionInvoker(subscription, shard, sourceState, stopped, start.window());
    this.lanes =
        new ShardLanes(mapping, partitionKey, this::deliver, sourceState::wake, this::unfinished);
    this.retry =
        new Retry(
            settings.backoff(),
            settings.random(),
            time -> sourceState.awaitTime(time, () -> stopped.getAsBoolean() || lanes.isEnding()));
  }

  ShardReader newReader() {
    return new ShardReader(
        streams, shard.streamArn(), shard.shardId(), checkpoint.sequenceNumber());
  }

  /**
   * Returns a reader that starts at the checkpoint, and restores its window. Later records are read
   * and delivered again.
   */
  ShardReader backToCheckpoint() {
    invocations.setWindow(checkpoint.window());
    return newReader();
  }

  /**
   * Delivers the next round: in lanes, which go on after the return, or one call after the other.
   */
  void deliver(BatchBuffer buffer) {
    openWindow();
    lanes.awaitRoom();
    List<BatchRecord> round = buffer.takeRound();
    synchronized (head) {
      head.add(round);
    }
    if (mapping.parallelizationFactor() > 1) {
      lanes.add(round);
      return;
    }
    buffer.calls(round).forEach(this::deliver);
    OpenWindow open = invocations.window();
    if (open != null && open.isStateTooLarge()) {
      closeWindow(FunctionInvoker.WindowEnd.EARLY);
    }
  }

  private int unfinished() {
    synchronized (head) {
      return head.size();
    }
  }

  private void deliver(List<BatchRecord> call) {
    new BatchDelivery(
            mapping,
            shard,
            invocations::invoke,
            this::send,
            new HeadListener(),
            settings.clock(),
            retry)
        .deliver(call);
  }

  /** Returns whether no record that was delivered is on its way. */
  boolean isIdle() {
    return lanes.isIdle();
  }

  /** Throws the failure of a lane, if there is one. */
  void requireNoFailure() {
    lanes.requireNoFailure();
  }

  /** Returns when no record is on its way, or throws the failure of a lane. */
  void awaitIdle() {
    lanes.awaitIdle();
  }

  /** Returns when running calls have ended. Other records on their way come again. */
  void endCalls() {
    lanes.reset();
    synchronized (head) {
      head.clear();
    }
  }

  /** Receives the reports of the lanes, from their own threads. */
  private final class HeadListener implements BatchDelivery.Listener {

    @Override
    public void handled(List<BatchRecord> records) {
      counters.handled.add(records.size());
      advance(records);
    }

    @Override
    public void givenUp(List<BatchRecord> records) {
      counters.givenUp.add(records.size());
      advance(records);
    }

    @Override
    public void failed(String failure) {
      counters.failedInvocations.increment();
      error(failure);
    }

    private void advance(List<BatchRecord> records) {
      synchronized (head) {
        head.done(records).ifPresent(ShardProcessor.this::advanceTo);
      }
    }
  }

  /** Moves the checkpoint to this sequence number, with the state of the open window. */
  void advanceTo(@Nullable String sequenceNumber) {
    save(new Checkpoint(sequenceNumber, false, invocations.window()));
  }

  /** Ends the window and marks the shard as finished, so that its children may start. */
  void finish(@Nullable String lastRead) {
    closeWindow(FunctionInvoker.WindowEnd.ON_TIME);
    save(new Checkpoint(lastRead, true, null));
  }

  private void save(Checkpoint next) {
    if (!next.equals(checkpoint)) {
      checkpoints.save(shard.streamArn(), shard.mapping(), shard.shardId(), next);
      checkpoint = next;
    }
  }

  private void openWindow() {
    if (mapping.isTumbling() && invocations.window() == null) {
      invocations.setWindow(OpenWindow.at(settings.clock().instant(), mapping.tumblingWindow()));
    }
  }

  void closeWindowIfOver() {
    OpenWindow open = invocations.window();
    if (open != null && open.isOver(settings.clock().instant())) {
      closeWindow(FunctionInvoker.WindowEnd.ON_TIME);
    }
  }

  private void closeWindow(FunctionInvoker.WindowEnd end) {
    int failures = 0;
    while (invocations.window() != null) {
      switch (invocations.invokeFinal(end)) {
        case InvocationOutcome.Handled() -> invocations.setWindow(null);
        case InvocationOutcome.HandledBefore(int index, String error) ->
            invocations.setWindow(null);
        case InvocationOutcome.Failed(String error) -> finalCallFailed(++failures, error);
      }
    }
    advanceTo(checkpoint.sequenceNumber());
  }

  private void finalCallFailed(int failures, String failure) {
    counters.failedInvocations.increment();
    error(failure);
    if (mapping.allowsRetryAfter(failures)) {
      retry.await(failures);
    } else {
      LOG.log(Level.ERROR, "The state of a window is lost, {0}: {1}", shard, failure);
      invocations.setWindow(null);
    }
  }

  private void send(FailedBatch batch) {
    for (int failures = 1; !sent(batch); failures++) {
      retry.await(failures);
    }
  }

  private boolean sent(FailedBatch batch) {
    try {
      return invocations.tracked(
          () -> {
            mapping.onFailure().send(batch);
            return true;
          });
    } catch (StoppedException e) {
      throw e;
    } catch (Exception e) {
      error("The on-failure destination failed: " + e);
      return false;
    }
  }

  void error(String error) {
    lastError = Optional.of(error);
    counters.error(error);
  }

  MappingStatus.Shard status(boolean atTip) {
    return new MappingStatus.Shard(
        shard.shardId(), Optional.ofNullable(checkpoint.sequenceNumber()), lastError, atTip);
  }

  String streamArn() {
    return shard.streamArn();
  }
}
