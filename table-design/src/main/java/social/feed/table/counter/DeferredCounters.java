package social.feed.table.counter;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.present;
import static social.feed.table.kernel.store.Condition.same;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Counted;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Ranked;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Changes of counters that could not be applied in the order of their shard, and are applied later.
 * First a change is deferred: one transaction moves the checkpoint of {@link Counters} over it and
 * notes it as pending. So the stream does not add the change when it delivers the record again.
 * Later one transaction adds the change and deletes its pending row. Without that row nothing is
 * added: then the stream has counted the change after all, or a recount has included it.
 */
public final class DeferredCounters {
  private final Table table;
  private final Optional<CelebrityRule> rule;
  private final PendingCounts pending;
  private final DeferredRankings rankings;

  /**
   * @param rule sets and clears the flag of accounts with their followers; without it a flag stays
   *     until the next change that the stream counts
   * @param clock decides when pending changes expire
   */
  public DeferredCounters(Table table, Optional<CelebrityRule> rule, Clock clock) {
    this.table = table;
    this.rule = rule;
    this.pending = new PendingCounts(clock);
    this.rankings = new DeferredRankings(table, pending);
  }

  /**
   * Moves the checkpoints of items over changes of one shard without adding them, and notes the
   * changes as pending. One read unit for 4 KB of each item, two write units a KB of it and two for
   * the pending change. An absent item stays absent, except for a row of a ranking, and an inbox
   * unless the change takes from it; that inbox costs six write units. An item whose checkpoint has
   * passed a change stays as it is. The items may lack attributes.
   *
   * @param changes for each item those that cannot be applied; everything before them is
   * @throws ThrottledException when concurrent writes keep changing the same item
   */
  public void leaveOut(String shardId, Map<Key, List<CountChange>> changes) {
    changes.forEach(
        (key, ofItem) ->
            Ranked.of(key, shardId)
                .ifPresentOrElse(
                    row -> ofItem.forEach(change -> rankings.leaveOut(shardId, row, change)),
                    () -> ofItem.forEach(change -> leaveOut(shardId, key, change))));
  }

  private void leaveOut(String shardId, Key key, CountChange change) {
    table
        .retry()
        .until(
            "Checkpoint of " + key,
            () -> {
              var item = table.get(key);
              if (item.isEmpty() && Inbox.isAt(key) && change.delta() >= 0) {
                return leaveOutFirst(shardId, key, change);
              }
              if (item.isEmpty() || ShardCheckpoints.of(item.get()).isCovered(shardId, change)) {
                return Optional.of(key);
              }
              var recounted = PendingCounts.recounted(item.get(), change.attribute());
              var name = PendingCounts.nameOf(shardId, key, change);
              var update = new Update();
              var unchanged = moveCheckpoint(update, item.get(), shardId, change);
              var outcome =
                  table
                      .transaction()
                      .update(key, update, present().and(unchanged).and(recounted.unchanged()))
                      .put(pending.row(name, recounted))
                      .commit();
              return outcome.isDone() ? Optional.of(key) : Optional.empty();
            });
  }

  /**
   * Leaves out the first change of an inbox, which is written for its checkpoint, as {@link
   * Counters} writes it. No account that is gone gets one.
   *
   * @return empty where the inbox was written meanwhile
   */
  private Optional<Key> leaveOutFirst(String shardId, Key inbox, CountChange change) {
    var account = User.key(Keys.userOf(inbox.partition()));
    var checkpoints = new ShardCheckpoints(Map.of()).moved(shardId, change);
    var recounted = PendingCounts.recounted(Map.of(), change.attribute());
    var name = PendingCounts.nameOf(shardId, inbox, change);
    var outcome =
        table
            .transaction()
            .check(account, present())
            .put(Inbox.counted(inbox, 0, checkpoints), absent())
            .put(pending.row(name, recounted))
            .commit();
    return outcome.isDone() || outcome.failedAt(account) ? Optional.of(inbox) : Optional.empty();
  }

  /** Replaces an attribute that is no map: otherwise no checkpoint could ever be written again. */
  private static Condition moveCheckpoint(
      Update update, Map<String, AttributeValue> item, String shardId, CountChange change) {
    var marks = item.get(Counted.MARKS);
    if (marks != null && marks.hasM()) {
      return ShardCheckpoints.of(item).move(update, shardId, change);
    }
    var checkpoints = Map.of(shardId, AttributeValue.fromS(change.sequenceNumber()));
    update.set(Counted.MARKS, AttributeValue.fromM(checkpoints));
    return same(Counted.MARKS, marks);
  }

  /**
   * Applies a deferred change, once. One read unit for 4 KB of the item, two write units a KB of it
   * and two for the pending change.
   *
   * @param shardId the shard that the change came from
   * @return whether it was added now; false when no change is pending, or there is no item and it
   *     is no row of a ranking
   * @throws ThrottledException when concurrent writes keep changing the same item
   * @throws IllegalStateException when the item lacks the counter, or when the change was never
   *     deferred, so that the stream delivers it again
   */
  public boolean apply(String shardId, Key key, CountChange change) {
    return Ranked.of(key, shardId)
        .map(row -> rankings.apply(shardId, row, change))
        .orElseGet(() -> count(shardId, key, change));
  }

  private boolean count(String shardId, Key key, CountChange change) {
    return table
        .retry()
        .until(
            "Deferred count of " + key,
            () -> {
              var item = table.get(key);
              if (item.isEmpty()) {
                return Optional.of(false);
              }
              CountedState.requireCounters(key, item.get(), List.of(change));
              var recounted = PendingCounts.recounted(item.get(), change.attribute());
              var state = CountedState.of(item.get());
              var count = new CountUpdate(key, shardId, List.of(change), state, rule);
              var pendingChange =
                  PendingCounts.key(PendingCounts.nameOf(shardId, key, change), recounted);
              var outcome =
                  table
                      .transaction()
                      .delete(pendingChange, present())
                      .update(key, count.update(), count.condition().and(recounted.unchanged()))
                      .commit();
              if (outcome.failedAt(pendingChange)) {
                ShardCheckpoints.of(item.get()).requirePassed(shardId, key, change);
                return Optional.of(false);
              }
              return outcome.isDone() ? Optional.of(true) : Optional.empty();
            });
  }
}
