package social.feed.table.counter;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The marks of an item as they were read: for each shard the last sequence number covered. */
record ShardCheckpoints(Map<String, String> byShard) {
  static final ShardCheckpoints NONE = new ShardCheckpoints(Map.of());

  /** A shard takes records for four hours and a stream keeps them for a day; this is far beyond. */
  private static final Duration OUTDATED = Duration.ofDays(7);

  /** So many a time keep the update expression far below its 4 KB. */
  private static final int MAX_OUTDATED = 20;

  /** DynamoDB's shard ids hold the millisecond of their creation. */
  private static final Pattern SHARD = Pattern.compile("shardId-0*(\\d{1,18})-.*");

  /** The marks of an item, which need not be complete. */
  static ShardCheckpoints of(Map<String, AttributeValue> item) {
    var byShard = new HashMap<String, String>();
    var marks = item.get(Counted.MARKS);
    if (marks != null) {
      marks.m().forEach((shard, mark) -> byShard.put(shard, mark.s()));
    }
    return new ShardCheckpoints(byShard);
  }

  Optional<String> of(String shardId) {
    return Optional.ofNullable(byShard.get(shardId));
  }

  /** Whether a change of a shard is covered. */
  boolean isCovered(String shardId, CountChange change) {
    return of(shardId).filter(mark -> !change.isAfter(mark)).isPresent();
  }

  /** A record without a claim before which the mark stands is none that anybody has handled. */
  void requirePassed(String shardId, Key item, CountChange change) {
    if (!isCovered(shardId, change)) {
      throw new IllegalStateException(
          "The counters of "
              + item
              + " do not cover the record, and nobody has left it out: the stream may bring it"
              + " again. Try once more later; if it is older than a day, run ./feed verify --fix and"
              + " drop the letter, both with the settings of the platform, such as"
              + " --trend-half-life-hours");
    }
  }

  /** These after a change of a shard; a mark only moves forward. */
  Map<String, String> moved(String shardId, CountChange last) {
    var moved = new HashMap<>(byShard);
    outdatedBy(shardId).forEach(moved::remove);
    if (of(shardId).map(last::isAfter).orElse(true)) {
      moved.put(shardId, last.sequenceNumber());
    }
    return moved;
  }

  /**
   * Shards so much older than a new one that nothing of theirs can come again. Without that an item
   * would grow with each shard that ever changed it. One whose id tells no time is never among
   * them.
   */
  List<String> outdatedBy(String shardId) {
    var now = time(shardId);
    if (byShard.containsKey(shardId) || now.isEmpty()) {
      return List.of();
    }
    long limit = now.getAsLong() - OUTDATED.toMillis();
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
