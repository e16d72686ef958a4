package social.feed.table.counter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The shard checkpoints of an item as they were read: for each shard the last covered number. */
record ShardCheckpoints(Map<String, String> byShard) {
  static final ShardCheckpoints NONE = new ShardCheckpoints(Map.of());

  /** Removals in one update; keeps its expression far below the limit of 4 KB. */
  private static final int MAX_OUTDATED = 20;

  /** DynamoDB's shard ids contain the millisecond of their creation. */
  private static final Pattern SHARD = Pattern.compile("shardId-0*(\\d{1,18})-.*");

  /** Returns the checkpoints of an item, which may lack attributes. */
  static ShardCheckpoints of(Map<String, AttributeValue> item) {
    var byShard = new HashMap<String, String>();
    var marks = item.get(Counted.MARKS);
    if (marks != null) {
      marks.m().forEach((shard, number) -> byShard.put(shard, number.s()));
    }
    return new ShardCheckpoints(byShard);
  }

  Optional<String> of(String shardId) {
    return Optional.ofNullable(byShard.get(shardId));
  }

  /** Whether the checkpoint of a shard covers a change. */
  boolean isCovered(String shardId, CountChange change) {
    return of(shardId).filter(checkpoint -> !change.isAfter(checkpoint)).isPresent();
  }

  /** Returns the changes of a shard that its checkpoint does not cover. */
  List<CountChange> behind(String shardId, List<CountChange> changes) {
    return of(shardId)
        .map(checkpoint -> changes.stream().filter(c -> c.isAfter(checkpoint)).toList())
        .orElse(changes);
  }

  /**
   * Requires that the checkpoint covers a change without a pending row.
   *
   * @throws IllegalStateException when it does not: then no process has handled the record
   */
  void requirePassed(String shardId, Key item, CountChange change) {
    if (!isCovered(shardId, change)) {
      throw new IllegalStateException(
          "The counters of "
              + item
              + " do not cover the record, and it was never deferred: the stream may bring it"
              + " again. Retry later; if the record is older than a day, run ./feed verify --fix and"
              + " drop the dead letter, both with the settings of the platform, such as"
              + " --trend-half-life-hours");
    }
  }

  /** Returns the checkpoints after a change of a shard. A checkpoint only moves forward. */
  Map<String, String> moved(String shardId, CountChange last) {
    var moved = new HashMap<>(byShard);
    outdatedBy(shardId).forEach(moved::remove);
    if (of(shardId).map(last::isAfter).orElse(true)) {
      moved.put(shardId, last.sequenceNumber());
    }
    return moved;
  }

  /**
   * Returns shards so much older than a new one that none of their records can come again. Without
   * their removal an item would grow with each shard that ever changed it. A shard whose id
   * contains no time is never outdated.
   */
  List<String> outdatedBy(String shardId) {
    var now = time(shardId);
    if (byShard.containsKey(shardId) || now.isEmpty()) {
      return List.of();
    }
    long limit = now.getAsLong() - Retention.SHARD_CHECKPOINTS.toMillis();
    return byShard.keySet().stream()
        .filter(shard -> time(shard).orElse(Long.MAX_VALUE) < limit)
        .sorted()
        .limit(MAX_OUTDATED)
        .toList();
  }

  private static OptionalLong time(String shardId) {
    var id = SHARD.matcher(shardId);
    return id.matches() ? OptionalLong.of(Long.parseLong(id.group(1))) : OptionalLong.empty();
  }
}
