package social.feed.table.counter;

import static social.feed.table.kernel.store.Condition.sameEntry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The shard checkpoints of an item as they were read: for each shard the last covered number.
 *
 * <p>Checkpoints of outdated shards are removed, so an item holds at most eight for each partition
 * that brings its records, and one more for each split of it. A shard is outdated when the item has
 * the checkpoint of a shard that was created {@link Retention#SHARD_CHECKPOINTS} later. Both times
 * are in the ids of the shards, so the stream itself proves that it has dropped the records, and no
 * clock of a process is compared.
 */
record ShardCheckpoints(Map<String, String> byShard) {
  /** Removals in one update; keeps its expression far below the limit of 4 KB. */
  private static final int MAX_OUTDATED = 50;

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

  /**
   * Whether a change of a shard was handled: the checkpoint of the shard covers it, or the shard is
   * outdated. A call that was delayed until its checkpoint was removed therefore adds nothing.
   */
  boolean isCovered(String shardId, CountChange change) {
    return of(shardId)
        .map(checkpoint -> !change.isAfter(checkpoint))
        .orElseGet(() -> isBefore(shardId, oldest(newest())));
  }

  /** Returns the changes of a shard that were not handled. */
  List<CountChange> behind(String shardId, List<CountChange> changes) {
    return changes.stream().filter(change -> !isCovered(shardId, change)).toList();
  }

  /**
   * Requires that the checkpoint covers a change without a pending row.
   *
   * @throws IllegalStateException when it does not: then no process has handled the record
   */
  void requirePassed(String shardId, Key item, CountChange change) {
    // An outdated shard proves nothing here: its record may never have been deferred.
    if (of(shardId).filter(checkpoint -> !change.isAfter(checkpoint)).isEmpty()) {
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
   * Moves the checkpoint of a shard in an update as {@link #moved} does, for an item that may have
   * other checkpoints by then.
   *
   * @return holds while the checkpoint is the one that was read
   */
  Condition move(Update update, String shardId, CountChange last) {
    var read = of(shardId);
    var covered = read.filter(c -> !last.isAfter(c)).orElse(last.sequenceNumber());
    update.setEntry(Counted.MARKS, shardId, covered);
    outdatedBy(shardId).forEach(outdated -> update.removeEntry(Counted.MARKS, outdated));
    return sameEntry(Counted.MARKS, shardId, read.map(AttributeValue::fromS).orElse(null));
  }

  /**
   * Returns the outdated shards that an update from a shard removes. A shard whose id contains no
   * time is never outdated, and outdates none.
   */
  private List<String> outdatedBy(String shardId) {
    long limit = oldest(Math.max(newest(), time(shardId).orElse(0)));
    return byShard.keySet().stream()
        .filter(shard -> !shard.equals(shardId) && isBefore(shard, limit))
        .sorted()
        .limit(MAX_OUTDATED)
        .toList();
  }

  private long newest() {
    return byShard.keySet().stream().mapToLong(shard -> time(shard).orElse(0)).max().orElse(0);
  }

  private static long oldest(long newest) {
    return newest - Retention.SHARD_CHECKPOINTS.toMillis();
  }

  private static boolean isBefore(String shardId, long limit) {
    return time(shardId).orElse(Long.MAX_VALUE) < limit;
  }

  private static OptionalLong time(String shardId) {
    var id = SHARD.matcher(shardId);
    return id.matches() ? OptionalLong.of(Long.parseLong(id.group(1))) : OptionalLong.empty();
  }
}
