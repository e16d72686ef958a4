package social.feed.engine.eventsource;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the records of a shard in concurrent lanes. Records with the same partition key share a
 * lane, in order. A lane goes on with its next batch when its last one has ended, whatever the
 * others do: a batch that takes long, or fails, delays the records of its own lane only.
 *
 * <p>One thread adds records. Each lane with records has a thread of its own.
 */
final class ShardLanes {

  private final EventSourceMapping mapping;
  private final String partitionKey;
  private final Consumer<List<BatchRecord>> delivery;
  private final Runnable wake;
  private final IntSupplier unfinished;
  private final List<Lane> lanes = new ArrayList<>();
  private long waitingBytes;
  private int running;
  private @Nullable RuntimeException failure;
  private volatile boolean isEnding;

  /**
   * @param delivery delivers a batch, and returns when each of its records is handled or given up
   * @param wake ends every wait for records and for another attempt; it is called without a lock
   * @param unfinished the number of records from the oldest unfinished one on
   */
  ShardLanes(
      EventSourceMapping mapping,
      String partitionKey,
      Consumer<List<BatchRecord>> delivery,
      Runnable wake,
      IntSupplier unfinished) {
    this.mapping = mapping;
    this.partitionKey = partitionKey;
    this.delivery = delivery;
    this.wake = wake;
    this.unfinished = unfinished;
    for (int i = 0; i < mapping.parallelizationFactor(); i++) {
      lanes.add(new Lane());
    }
  }

  /** The records of a lane that no call has taken yet. */
  private static final class Lane {
    private final BatchBuffer.Batches records = new BatchBuffer.Batches();
    private boolean isRunning;
  }

  /**
   * Waits while as many records are unfinished as a batch for each lane has, from the oldest
   * unfinished one on; a whole round may be added then. So a lane that fails again and again stops
   * the others at last, and memory is bounded.
   *
   * @throws RuntimeException the failure of a lane
   */
  synchronized void awaitRoom() {
    awaitWhile(() -> failure == null && running > 0 && isFull());
    requireNoFailure();
  }

  /**
   * Adds records behind all others.
   *
   * @throws RuntimeException the failure of a lane
   */
  synchronized void add(List<BatchRecord> records) {
    requireNoFailure();
    for (var record : records) {
      var lane = lanes.get(record.lane(partitionKey, lanes.size()));
      lane.records.add(record);
      waitingBytes += record.sizeBytes();
      if (!lane.isRunning) {
        lane.isRunning = true;
        running++;
        Thread.ofVirtual().name("lane of " + mapping.name()).start(() -> run(lane));
      }
    }
  }

  private boolean isFull() {
    return unfinished.getAsInt() >= mapping.batchSize() * lanes.size()
        || waitingBytes >= BatchBuffer.MAX_BYTES * lanes.size();
  }

  /** Returns whether no record waits or is on its way. Behind a failure of a lane some wait. */
  synchronized boolean isIdle() {
    return running == 0 && failure == null;
  }

  /** Throws the failure of a lane, if there is one. */
  synchronized void requireNoFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Returns when no record waits or is on its way.
   *
   * @throws RuntimeException the failure of a lane
   */
  synchronized void awaitIdle() {
    awaitWhile(() -> failure == null && running > 0);
    requireNoFailure();
  }

  /** Whether calls should end that wait for another attempt. */
  boolean isEnding() {
    return isEnding;
  }

  /** Forgets the records that wait, and returns when running calls have ended. */
  void reset() {
    synchronized (this) {
      isEnding = true;
      lanes.forEach(lane -> lane.records.clear());
    }
    wake.run();
    synchronized (this) {
      awaitWhile(() -> running > 0);
      waitingBytes = 0;
      failure = null;
      isEnding = false;
    }
  }

  private void run(Lane lane) {
    while (true) {
      var batch = next(lane);
      if (batch.isEmpty()) {
        return;
      }
      try {
        delivery.accept(batch);
      } catch (RuntimeException e) {
        fail(e);
      } catch (Error e) {
        fail(new IllegalStateException("A lane failed", e));
      }
    }
  }

  /** Takes the next batch of a lane. Ends the lane where there is none, or a lane has failed. */
  private List<BatchRecord> next(Lane lane) {
    synchronized (this) {
      if (failure == null && !lane.records.isEmpty()) {
        var batch = lane.records.take(mapping.batchSize());
        waitingBytes -= batch.stream().mapToLong(BatchRecord::sizeBytes).sum();
        notifyAll();
        return batch;
      }
      lane.isRunning = false;
      running--;
      notifyAll();
      if (running > 0) {
        return List.of();
      }
    }
    wake.run();
    return List.of();
  }

  private void fail(RuntimeException e) {
    synchronized (this) {
      if (failure == null) {
        failure = e;
      }
      isEnding = true;
      notifyAll();
    }
    wake.run();
  }

  private void awaitWhile(BooleanSupplier condition) {
    try {
      while (condition.getAsBoolean()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    }
  }
}
