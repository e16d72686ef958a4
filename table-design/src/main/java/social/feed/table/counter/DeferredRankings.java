package social.feed.table.counter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.Ranked;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * What {@link DeferredCounters} does, for rows by which authors and tags are ranked. A claim is for
 * one count of one row: a month, or an hour of a tag in the row that its shard counts in.
 */
final class DeferredRankings {
  private final Table table;
  private final RankedCounters rankings;
  private final PendingCounts claims;

  DeferredRankings(Table table, PendingCounts claims) {
    this.table = table;
    this.rankings = new RankedCounters(table);
    this.claims = claims;
  }

  /** A row that is not there is created with the mark, so that a claim always has its row. */
  void leaveOut(String shardId, Ranked empty, CountChange change) {
    var key = empty.row().key();
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var item = table.get(key);
      if (item.isPresent() && ShardCheckpoints.of(item.get()).isCovered(shardId, change)) {
        return;
      }
      var move =
          item.map(it -> moved(key, it, shardId, change.sequenceNumber()))
              .orElseGet(() -> put(empty, shardId, nothingOf(change)));
      var recounted = PendingCounts.ranked(item.orElse(Map.of()), change.attribute());
      var make = claims.make(PendingCounts.owed(shardId, key, change), recounted);
      if (claims.refused(move, make).isEmpty()) {
        return;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Mark of " + key, 1, table.backoff().attempts());
  }

  boolean apply(String shardId, Ranked empty, CountChange change) {
    var key = empty.row().key();
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var read = rankings.stored(empty);
      var recounted = PendingCounts.recounted(read, change.attribute());
      var take = claims.take(PendingCounts.owed(shardId, key, change), recounted);
      var reasons = claims.refused(take, put(read, shardId, change));
      if (reasons.isEmpty()) {
        return true;
      }
      if (TransactionCancellations.failedCondition(reasons.getFirst())) {
        new ShardCheckpoints(read.marks()).requirePassed(shardId, key, change);
        return false;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("Late count of " + key, 1, table.backoff().attempts());
  }

  /**
   * The mark alone, since the row may be one that cannot be read. Whoever writes it whole goes by
   * its revision; where that is none, nobody can.
   */
  private TransactWriteItem moved(
      Key key, Map<String, AttributeValue> item, String shardId, String last) {
    var marks = item.get(Counted.MARKS);
    var moved = new HashMap<String, AttributeValue>();
    if (marks != null) {
      moved.putAll(marks.m());
    }
    moved.put(shardId, AttributeValue.fromS(last));
    var update = new SetExpression().set(Counted.MARKS, AttributeValue.fromM(moved));
    for (var name : List.of(Counted.MARKS, Ranked.REVISION)) {
      var value = item.get(name);
      if (value == null) {
        update.whenAbsent(name);
      } else {
        update.when(name, "=", value);
      }
    }
    var revision = item.get(Ranked.REVISION);
    if (revision != null && revision.n() != null) {
      update.add(Ranked.REVISION, 1);
    }
    var whole = update.inTransaction().tableName(table.name()).key(KeyAttributes.of(key)).build();
    return TransactWriteItem.builder().update(whole).build();
  }

  private TransactWriteItem put(Ranked read, String shardId, CountChange change) {
    Put put = rankings.put(read, RankedCounters.after(read, shardId, List.of(change)));
    return TransactWriteItem.builder().put(put).build();
  }

  private static CountChange nothingOf(CountChange change) {
    return new CountChange(change.sequenceNumber(), change.attribute(), 0);
  }
}
