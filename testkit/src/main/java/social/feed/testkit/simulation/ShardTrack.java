package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.ArrayList;
import java.util.List;

/** Records of one shard that are delivered in order, one batch after the other. */
final class ShardTrack {
  private static final int LARGEST = 12;
  private final String shardId;
  private final List<DynamodbStreamRecord> done = new ArrayList<>();
  private final List<DynamodbStreamRecord> pending = new ArrayList<>();
  private int limit = LARGEST;
  private int running;
  private int inFlight;
  private long attempt;

  ShardTrack(String shardId) {
    this.shardId = shardId;
  }

  String shardId() {
    return shardId;
  }

  void offer(DynamodbStreamRecord record) {
    pending.add(record);
  }

  boolean isFree() {
    return running == 0;
  }

  boolean isDone() {
    return pending.isEmpty() && isFree();
  }

  /** Returns the number of records that the next batch may contain. */
  int available() {
    return Math.min(limit, pending.size());
  }

  /** Returns the number of records after the running batch. */
  int availableBehind() {
    return Math.max(0, pending.size() - inFlight);
  }

  /** Returns the number of records in the running batch. */
  int underWay() {
    return inFlight;
  }

  /** A batch that is running. */
  record Batch(long attempt, List<DynamodbStreamRecord> records) {}

  Batch begin(int size) {
    running++;
    inFlight = size;
    return new Batch(++attempt, List.copyOf(pending.subList(0, size)));
  }

  /** Starts the batch after a running one, which an event source must not do. */
  Batch overtake(int size) {
    running++;
    return new Batch(attempt, List.copyOf(pending.subList(inFlight, inFlight + size)));
  }

  /**
   * Ends a batch.
   *
   * @return whether its result counts; the event source has given up a batch that it delivered
   *     again
   */
  boolean end(Batch batch) {
    running--;
    return batch.attempt == attempt;
  }

  /** Moves the processed records of a batch to the delivered ones. */
  void handled(List<DynamodbStreamRecord> records) {
    for (var record : records) {
      if (pending.remove(record)) {
        done.add(record);
      }
    }
    limit = LARGEST;
  }

  /** Halves the limit of the next batch, as an event source that bisects failed batches does. */
  void failed(int size) {
    limit = Math.max(1, size / 2);
  }

  /** Makes the last delivered records pending again, as after the loss of a checkpoint. */
  void rewind(int records) {
    int from = Math.max(0, done.size() - records);
    var again = done.subList(from, done.size());
    pending.addAll(0, again);
    again.clear();
  }

  List<DynamodbStreamRecord> done() {
    return done;
  }
}
