package social.feed.engine.eventsource;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import social.feed.engine.eventsource.FailedBatch.Condition;

/**
 * Delivers a batch until each of its records is handled or given up: partial responses, splitting,
 * retries and record age.
 *
 * <p>Retries are counted for the record at the head of what is left: when a partial response moves
 * the head, that response is the new head's first failure. A split uses up none and waits for
 * nothing; with splitting on, a partial response that moves the head counts as one.
 */
final class BatchDelivery {

  /** What a delivery reports to its shard. */
  interface Listener {

    /** These records are done with, in this order. */
    void handled(List<BatchRecord> records);

    void failed(String error);

    /** These were given up and are with the destination. */
    void givenUp(List<BatchRecord> records);
  }

  private record Batch(List<BatchRecord> records, int failures, String lastError) {
    Batch from(int index, int failuresOfHead, String error) {
      // A view of a view of a view, one a retry, would grow without end.
      List<BatchRecord> left = index == 0 ? records : records.subList(index, records.size());
      return new Batch(left, failuresOfHead, error);
    }

    Batch upTo(int index, String error) {
      return new Batch(records.subList(0, index), failures, error);
    }
  }

  private static final String NO_ERROR = "none, it was never called";

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

  /** Waits between failures. */
  record Retry(RetryDelay backoff, RandomGenerator random, Waiting waiting) {
    void await(int failures) {
      waiting.await(backoff.after(failures, random));
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
      case InvocationOutcome.Failed(String error, Throwable cause) -> failed(batch, error);
    }
  }

  private void advanced(Batch batch, int index, String error) {
    listener.failed(error);
    listener.handled(batch.records().subList(0, index));
    if (mapping.bisectBatchOnFunctionError()) {
      work.push(batch.from(index, batch.failures(), error));
    } else {
      again(batch.from(index, 1, error));
    }
  }

  private void failed(Batch batch, String error) {
    listener.failed(error);
    if (mapping.bisectBatchOnFunctionError() && batch.records().size() > 1) {
      int half = batch.records().size() / 2;
      work.push(batch.from(half, batch.failures(), error));
      work.push(batch.upTo(half, error));
    } else {
      again(batch.from(0, batch.failures() + 1, error));
    }
  }

  private void again(Batch batch) {
    if (mapping.allowsRetryAfter(batch.failures())) {
      retry.await(batch.failures());
      work.push(batch);
    } else {
      giveUp(batch, Condition.RETRY_ATTEMPTS_EXHAUSTED);
    }
  }

  /** Records come in the order of their age, so those too old are the first ones. */
  private Batch withoutTooOld(Batch batch) {
    if (mapping.maximumRecordAge().isEmpty()) {
      return batch;
    }
    var limit = clock.instant().minus(mapping.maximumRecordAge().get());
    int fresh = 0;
    while (fresh < batch.records().size() && batch.records().get(fresh).isOlderThan(limit)) {
      fresh++;
    }
    if (fresh > 0) {
      giveUp(batch.upTo(fresh, batch.lastError()), Condition.RECORD_AGE_EXCEEDED);
    }
    return fresh == 0 ? batch : batch.from(fresh, 0, NO_ERROR);
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
