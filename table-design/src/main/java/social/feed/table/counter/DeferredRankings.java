package social.feed.table.counter;

import static social.feed.table.counter.RankedCounters.unchanged;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.Ranked;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The deferred changes of {@link DeferredCounters} for rows by which authors and tags are ranked. A
 * pending change belongs to the count that a recount sets: a month of an account, or an hour of a
 * tag. The uses of a tag that one shard brought are on their way to that count, and a recount
 * includes them, so their dead letter adds to the count itself.
 */
final class DeferredRankings {
  private final Table table;
  private final PendingCounts pending;

  /** A count that can be recounted, in its row before anything is counted. */
  private record Recounted(Ranked.Recountable empty, String count) {
    static Recounted by(Ranked row, CountChange change) {
      return switch (row) {
        case TopAuthor author -> new Recounted(author, change.attribute());
        case TagTrend trend -> new Recounted(trend, change.attribute());
        case TagUses uses -> new Recounted(uses.trend(), uses.hour());
      };
    }

    Key key() {
      return empty.row().key();
    }
  }

  DeferredRankings(Table table, PendingCounts pending) {
    this.table = table;
    this.pending = pending;
  }

  /** Creates absent rows, so that a pending change always has its row. */
  void leaveOut(String shardId, Ranked empty, CountChange change) {
    var key = empty.row().key();
    var counted = Recounted.by(empty, change);
    table
        .retry()
        .until(
            "Checkpoint of " + key,
            () -> {
              var item = table.get(key);
              if (item.isPresent() && ShardCheckpoints.of(item.get()).isCovered(shardId, change)) {
                return Optional.of(key);
              }
              var moved = ShardCheckpoints.of(item.orElse(Map.of())).moved(shardId, change);
              var transaction = table.transaction();
              rewrite(transaction, empty, item, change.attribute(), moved);
              var recountable = item;
              if (!counted.key().equals(key)) {
                recountable = table.get(counted.key());
                rewrite(transaction, counted.empty(), recountable, counted.count(), Map.of());
              }
              var recounted = PendingCounts.ranked(recountable.orElse(Map.of()), counted.count());
              var name = PendingCounts.nameOf(shardId, key, change);
              return transaction.put(pending.row(name, recounted)).commit().isDone()
                  ? Optional.of(key)
                  : Optional.empty();
            });
  }

  boolean apply(String shardId, Ranked empty, CountChange change) {
    var key = empty.row().key();
    var counted = Recounted.by(empty, change);
    return table
        .retry()
        .until(
            "Deferred count of " + key,
            () -> {
              var read =
                  table
                      .get(counted.key())
                      .map(item -> (Ranked.Recountable) RowCodec.decode(item))
                      .orElse(counted.empty());
              var recounted = PendingCounts.recounted(read, counted.count());
              var pendingChange =
                  PendingCounts.key(PendingCounts.nameOf(shardId, key, change), recounted);
              var after = read.plus(Map.of(counted.count(), change.delta()), read.marks());
              var outcome =
                  table
                      .transaction()
                      .delete(pendingChange, present())
                      .put(after.row(), unchanged(read))
                      .commit();
              if (outcome.failedAt(pendingChange)) {
                ShardCheckpoints.of(table.get(key).orElse(Map.of()))
                    .requirePassed(shardId, key, change);
                return Optional.of(false);
              }
              return outcome.isDone() ? Optional.of(true) : Optional.empty();
            });
  }

  /**
   * Sets the checkpoints of a row and raises its revision, so that no write that read it before
   * succeeds. No row may be readable from the item. Every write of the whole row depends on its
   * revision; without a valid revision none can succeed.
   *
   * @param moved the checkpoints; empty to leave them
   */
  private static void rewrite(
      Transaction transaction,
      Ranked empty,
      Optional<Map<String, AttributeValue>> item,
      String count,
      Map<String, String> moved) {
    if (item.isEmpty()) {
      transaction.put(empty.plus(Map.of(count, 0L), moved).row(), unchanged(empty));
      return;
    }
    var stored = item.get();
    var update = new Update();
    var marks = stored.get(Counted.MARKS);
    if (!moved.isEmpty()) {
      var after = new HashMap<String, AttributeValue>();
      moved.forEach((shard, last) -> after.put(shard, AttributeValue.fromS(last)));
      update.set(Counted.MARKS, AttributeValue.fromM(after));
    }
    var revision = stored.get(Ranked.REVISION);
    boolean isRevised = revision != null && revision.n() != null;
    if (isRevised) {
      update.add(Ranked.REVISION, 1);
    }
    var unchanged = present().and(same(Counted.MARKS, marks)).and(same(Ranked.REVISION, revision));
    if (isRevised || !moved.isEmpty()) {
      transaction.update(empty.row().key(), update, unchanged);
    } else {
      transaction.check(empty.row().key(), unchanged);
    }
  }
}
