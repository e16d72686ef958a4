package social.feed.table.counter;

import static social.feed.table.counter.RankedCounters.unchanged;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Counted;
import social.feed.table.row.Ranked;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The deferred changes of {@link DeferredCounters} for rows by which authors and tags are ranked. A
 * pending change belongs to one count of one row: a month, or an hour of a tag in the row in which
 * its shard counts.
 */
final class DeferredRankings {
  private final Table table;
  private final RankedCounters rankings;
  private final PendingCounts pending;

  DeferredRankings(Table table, PendingCounts pending) {
    this.table = table;
    this.rankings = new RankedCounters(table);
    this.pending = pending;
  }

  /** Creates an absent row with the checkpoint, so that a pending change always has its row. */
  void leaveOut(String shardId, Ranked empty, CountChange change) {
    var key = empty.row().key();
    table
        .retry()
        .until(
            "Checkpoint of " + key,
            () -> {
              var item = table.get(key);
              if (item.isPresent() && ShardCheckpoints.of(item.get()).isCovered(shardId, change)) {
                return Optional.of(key);
              }
              var transaction = table.transaction();
              if (item.isPresent()) {
                var stored = item.get();
                transaction.update(
                    key,
                    moved(stored, shardId, change.sequenceNumber()),
                    present()
                        .and(same(Counted.MARKS, stored.get(Counted.MARKS)))
                        .and(same(Ranked.REVISION, stored.get(Ranked.REVISION))));
              } else {
                var nothing = new CountChange(change.sequenceNumber(), change.attribute(), 0);
                var created = RankedCounters.after(empty, shardId, List.of(nothing));
                transaction.put(created.row(), unchanged(empty));
              }
              var recounted = PendingCounts.ranked(item.orElse(Map.of()), change.attribute());
              var name = PendingCounts.nameOf(shardId, key, change);
              return transaction.put(pending.row(name, recounted)).commit().isDone()
                  ? Optional.of(key)
                  : Optional.empty();
            });
  }

  boolean apply(String shardId, Ranked empty, CountChange change) {
    var key = empty.row().key();
    return table
        .retry()
        .until(
            "Deferred count of " + key,
            () -> {
              var read = rankings.stored(empty);
              var recounted = PendingCounts.recounted(read, change.attribute());
              var pendingChange =
                  PendingCounts.key(PendingCounts.nameOf(shardId, key, change), recounted);
              var after = RankedCounters.after(read, shardId, List.of(change));
              var outcome =
                  table
                      .transaction()
                      .delete(pendingChange, present())
                      .put(after.row(), unchanged(read))
                      .commit();
              if (outcome.failedAt(pendingChange)) {
                new ShardCheckpoints(read.marks()).requirePassed(shardId, key, change);
                return Optional.of(false);
              }
              return outcome.isDone() ? Optional.of(true) : Optional.empty();
            });
  }

  /**
   * Moves the checkpoint alone, since no row may be read from the item. Every write of the whole
   * row depends on its revision; without a valid revision none can succeed.
   */
  private static Update moved(Map<String, AttributeValue> item, String shardId, String last) {
    var marks = item.get(Counted.MARKS);
    var moved = new HashMap<String, AttributeValue>();
    if (marks != null) {
      moved.putAll(marks.m());
    }
    moved.put(shardId, AttributeValue.fromS(last));
    var update = new Update().set(Counted.MARKS, AttributeValue.fromM(moved));
    var revision = item.get(Ranked.REVISION);
    return revision == null || revision.n() == null ? update : update.add(Ranked.REVISION, 1);
  }
}
