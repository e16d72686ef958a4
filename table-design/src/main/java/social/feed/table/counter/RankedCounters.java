package social.feed.table.counter;

import static social.feed.table.kernel.store.Condition.sameVersion;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Ranked;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Counts by which authors and tags are ranked, with the shard checkpoints of {@link Counters}. The
 * first count creates the row. It is written whole on condition of its revision, since its index
 * key derives from all its counts.
 */
final class RankedCounters {
  private final Table table;

  RankedCounters(Table table) {
    this.table = table;
  }

  /**
   * Applies changes of one shard to a row.
   *
   * @param empty the row before its first count
   * @param read the item as it was read; empty where it was not
   */
  void apply(
      String shardId, Ranked empty, Map<String, AttributeValue> read, List<CountChange> changes) {
    var key = empty.row().key();
    table
        .retry()
        .withoutPauses()
        .onRest(
            "Ranking at " + key,
            read.isEmpty() ? empty : decode(read),
            row -> {
              var left = new ShardCheckpoints(row.marks()).behind(shardId, changes);
              if (left.isEmpty()) {
                return Optional.empty();
              }
              var after = after(row, shardId, left).row();
              var outcome = table.put(after, unchanged(row).returningItem());
              return outcome.isDone()
                  ? Optional.empty()
                  : Optional.of(outcome.existing(key).map(RankedCounters::decode).orElse(empty));
            });
  }

  /** Returns the row after changes of a shard. */
  private static Ranked after(Ranked row, String shardId, List<CountChange> changes) {
    return row.plus(
        CountUpdate.sums(changes),
        new ShardCheckpoints(row.marks()).moved(shardId, changes.getLast()));
  }

  /** Holds while a row still has the revision that was read. */
  static Condition unchanged(Ranked read) {
    return sameVersion(Ranked.REVISION, read.revision());
  }

  private static Ranked decode(Map<String, AttributeValue> item) {
    return (Ranked) RowCodec.decode(item);
  }
}
