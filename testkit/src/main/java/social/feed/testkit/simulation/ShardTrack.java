package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.ArrayList;
import java.util.List;

/** Records of one shard that are delivered one batch after the other, in their order. */
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

  /** How many records could be in the next batch. */
  int available() {
    return Math.min(limit, pending.size());
  }

  /** How many could be in a batch behind the one that is under way. */
  int availableBehind() {
    return Math.max(0, pending.size() - inFlight);
  }

  /** How many records the batch has that is under way. */
  int underWay() {
    return inFlight;
  }

  /** A batch that is under way. */
  record Batch(long attempt, List<DynamodbStreamRecord> records) {}

  Batch begin(int size) {
    running++;
    inFlight = size;
    return new Batch(++attempt, List.copyOf(pending.subList(0, size)));
  }

  /** The next batch, while another is under way; what no event source does. */
  Batch overtake(int size) {
    running++;
    return new Batch(attempt, List.copyOf(pending.subList(inFlight, inFlight + size)));
  }

  /** Whether a batch still counts: one that was delivered again meanwhile was given up. */
  boolean end(Batch batch) {
    running--;
    return batch.attempt == attempt;
  }

  /** The first records of a batch are done. */
  void handled(List<DynamodbStreamRecord> records) {
    for (var record : records) {
      if (pending.remove(record)) {
        done.add(record);
      }
    }
    limit = LARGEST;
  }

  /** Everything came back: with half of it first, as an event source that bisects. */
  void failed(int size) {
    limit = Math.max(1, size / 2);
  }

  /** The last records come again, as after the loss of a checkpoint. */
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
