package social.feed.engine.eventsource;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import social.feed.engine.eventsource.FailedBatch.Condition;

/**
 * Delivers a batch until each of its records is handled or given up. It implements partial
 * responses, splitting, retries and the maximum record age.
 *
 * <p>Retries are counted for the first record that is left. When a partial response moves this
 * head, the response is the new head's first failure. A split uses no retry and has no delay. With
 * splitting on, a partial response that moves the head counts as a split.
 */
final class BatchDelivery {

  /** Receives the results of a delivery, for the shard. */
  interface Listener {

    /** Reports records that the function handled, in this order. */
    void handled(List<BatchRecord> records);

    /** Reports a failed call. */
    void failed(String error);

    /** Reports records that were given up and that the destination has stored. */
    void givenUp(List<BatchRecord> records);
  }

  private record Batch(List<BatchRecord> records, int failures, String lastError) {
    Batch from(int index, int failuresOfHead, String error) {
      // Each retry would wrap another view of the list, without limit.
      List<BatchRecord> left = index == 0 ? records : records.subList(index, records.size());
      return new Batch(left, failuresOfHead, error);
    }

    Batch upTo(int index, String error) {
      return new Batch(records.subList(0, index), failures, error);
    }
  }

  private static final String NO_ERROR = "none, the function was not called";

  private final EventSourceMapping mapping;
  private final Function<List<BatchRecord>, InvocationOutcome> function;
  private final Consumer<FailedBatch> destination;
  private final Listener listener;
  private final ShardId shard;
  private final InstantSource clock;
  private final Retry retry;
  private final Deque<Batch> work = new ArrayDeque<>();

  BatchDelivery(
      EventSourceMapping mapping,
      ShardId shard,
      Function<List<BatchRecord>, InvocationOutcome> function,
      Consumer<FailedBatch> destination,
      Listener listener,
      InstantSource clock,
      Retry retry) {
    this.mapping = mapping;
    this.shard = shard;
    this.function = function;
    this.destination = destination;
    this.listener = listener;
    this.clock = clock;
    this.retry = retry;
  }

  /** Waits between failures, for times that the backoff gives. */
  record Retry(RetryDelay backoff, RandomGenerator random, Consumer<Duration> waiting) {
    void await(int failures) {
      waiting.accept(backoff.after(failures, random));
    }
  }

  void deliver(List<BatchRecord> records) {
    work.push(new Batch(records, 0, NO_ERROR));
    while (!work.isEmpty()) {
      Batch batch = withoutTooOld(work.pop());
      if (!batch.records().isEmpty()) {
        step(batch, function.apply(batch.records()));
      }
    }
  }

  private void step(Batch batch, InvocationOutcome outcome) {
    switch (outcome) {
      case InvocationOutcome.Handled() -> listener.handled(batch.records());
      case InvocationOutcome.HandledBefore(int index, String error) ->
          advanced(batch, index, error);
      case InvocationOutcome.Failed(String error) -> failed(batch, error);
    }
  }

  private void advanced(Batch batch, int index, String error) {
    listener.failed(error);
    listener.handled(batch.records().subList(0, index));
    if (mapping.bisectBatchOnFunctionError()) {
      work.push(batch.from(index, batch.failures(), error));
    } else {
      retryOrGiveUp(batch.from(index, 1, error));
    }
  }

  private void failed(Batch batch, String error) {
    listener.failed(error);
    if (mapping.bisectBatchOnFunctionError() && batch.records().size() > 1) {
      int half = batch.records().size() / 2;
      work.push(batch.from(half, batch.failures(), error));
      work.push(batch.upTo(half, error));
    } else {
      retryOrGiveUp(batch.from(0, batch.failures() + 1, error));
    }
  }

  private void retryOrGiveUp(Batch batch) {
    if (mapping.allowsRetryAfter(batch.failures())) {
      retry.await(batch.failures());
      work.push(batch);
    } else {
      giveUp(batch, Condition.RETRY_ATTEMPTS_EXHAUSTED);
    }
  }

  /**
   * Gives up the records that are too old. Records are in the order of age, so these are the first
   * ones.
   */
  private Batch withoutTooOld(Batch batch) {
    if (mapping.maximumRecordAge().isEmpty()) {
      return batch;
    }
    var limit = clock.instant().minus(mapping.maximumRecordAge().get());
    int tooOld = 0;
    while (tooOld < batch.records().size() && batch.records().get(tooOld).isOlderThan(limit)) {
      tooOld++;
    }
    if (tooOld > 0) {
      giveUp(batch.upTo(tooOld, batch.lastError()), Condition.RECORD_AGE_EXCEEDED);
    }
    return tooOld == 0 ? batch : batch.from(tooOld, 0, NO_ERROR);
  }

  private void giveUp(Batch batch, Condition condition) {
    destination.accept(
        new FailedBatch(
            shard.mapping(),
            shard.streamArn(),
            shard.shardId(),
            condition,
            batch.failures(),
            batch.lastError(),
            clock.instant(),
            batch.records().stream().map(BatchRecord::record).toList()));
    listener.givenUp(batch.records());
  }
}
