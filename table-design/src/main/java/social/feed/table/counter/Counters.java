package social.feed.table.counter;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.present;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Fence;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Ranked;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Counters that a replay cannot change. Next to its counters an item holds a checkpoint for each
 * shard of the stream: the sequence number up to which the counters cover the shard. A batch adds
 * the changes after the checkpoint and moves the checkpoint in the same update, on condition that
 * the checkpoint still is the one that was read. The same update removes the checkpoints of shards
 * whose records the stream has dropped.
 *
 * <p>Correct while a shard's records arrive in order, one batch at a time, without gaps; and while
 * every change of a counter comes from one partition key. No item depends on another: where one
 * fails the others are counted, and a batch that comes again counts only what is missing.
 */
public final class Counters {
  private final Table table;
  private final CelebrityRule rule;
  private final RankedCounters rankings;
  private final int atOnce;

  /**
   * Creates counters that write one item after the other.
   *
   * @param rule sets and clears the flag of accounts with their followers
   */
  public Counters(Table table, CelebrityRule rule) {
    this(table, rule, 1);
  }

  /**
   * @param rule sets and clears the flag of accounts with their followers
   * @param atOnce the most items that are written concurrently
   */
  public Counters(Table table, CelebrityRule rule, int atOnce) {
    this.table = table;
    this.rule = rule;
    this.rankings = new RankedCounters(table);
    this.atOnce = atOnce;
  }

  /** The changes of an item. */
  private record ItemChanges(Key key, Optional<Ranked> ranked, List<CountChange> changes) {
    private Key stored() {
      return ranked.map(row -> row.row().key()).orElse(key);
    }
  }

  /**
   * As {@link #applyEach}.
   *
   * @throws RuntimeException the failure of an item, after all others were applied
   */
  public void apply(String shardId, Map<Key, List<CountChange>> changes) {
    applyEach(shardId, changes).values().stream()
        .findFirst()
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  /**
   * Applies changes of one shard to their items, several at a time, and fences after all others,
   * only where none failed. Half a read unit for each 4 KB of an item, and one write unit a KB of
   * each item that changes, however many changes it has. Two more for the index where a change
   * moves the item's rank. Four where an inbox is created.
   *
   * @param shardId the shard that all changes come from
   * @param changes for each item its changes in the order of the stream; an absent item stays
   *     absent, except for the rows of a ranking, which hold only counts, and an inbox to which a
   *     change adds
   * @return the items whose changes were not applied, each with its failure; a {@link
   *     ThrottledException} where concurrent writes keep changing the item
   */
  public Map<Key, RuntimeException> applyEach(String shardId, Map<Key, List<CountChange>> changes) {
    var items =
        changes.entrySet().stream()
            .map(e -> new ItemChanges(e.getKey(), Ranked.of(e.getKey(), shardId), e.getValue()))
            .toList();
    var fences = items.stream().filter(item -> Fence.isAt(item.key())).toList();
    var others = items.stream().filter(item -> !Fence.isAt(item.key())).toList();
    var failed = new LinkedHashMap<>(applyEach(shardId, others));
    // A fence that was passed proves that all changes before it were applied.
    // So a fence behind a failed item comes again, even where that item never can be counted.
    if (failed.isEmpty()) {
      failed.putAll(applyEach(shardId, fences));
    } else {
      var later = new ThrottledException("Fences behind failed items", fences.size(), 1);
      fences.forEach(fence -> failed.put(fence.key(), later));
    }
    return failed;
  }

  private Map<Key, RuntimeException> applyEach(String shardId, List<ItemChanges> items) {
    var stored = stored(items.stream().map(ItemChanges::stored).toList());
    var failures =
        ParallelCalls.map(
            items,
            atOnce,
            item -> failure(shardId, item, stored.getOrDefault(item.stored(), Map.of())));
    var failed = new LinkedHashMap<Key, RuntimeException>();
    for (int i = 0; i < items.size(); i++) {
      var key = items.get(i).key();
      failures.get(i).ifPresent(failure -> failed.put(key, failure));
    }
    return failed;
  }

  /**
   * Returns the items as far as they can be read. The read is eventually consistent and may miss an
   * item anyway: a wrong guess fails the condition of the write, which returns the item. So a
   * throttled read of one item does not keep the others from being counted.
   */
  private Map<Key, Map<String, AttributeValue>> stored(Collection<Key> keys) {
    var stored = new HashMap<Key, Map<String, AttributeValue>>();
    try {
      table.itemsAt(keys, false).forEach(item -> stored.put(KeyAttributes.key(item), item));
    } catch (ThrottledException | SdkException e) {
      return Map.of();
    }
    return stored;
  }

  private Optional<RuntimeException> failure(
      String shardId, ItemChanges item, Map<String, AttributeValue> read) {
    try {
      item.ranked()
          .ifPresentOrElse(
              row -> rankings.apply(shardId, row, read, item.changes()),
              () -> apply(item.key(), shardId, item.changes(), read));
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  private void apply(
      Key key, String shardId, List<CountChange> changes, Map<String, AttributeValue> read) {
    table
        .retry()
        .withoutPauses()
        .onRest(
            "Counters at " + key,
            read,
            item -> {
              var state = CountedState.of(item);
              var left = state.checkpoints().behind(shardId, changes);
              if (left.isEmpty()) {
                return Optional.empty();
              }
              if (item.isEmpty() && Inbox.isAt(key) && adds(left)) {
                long sum = left.stream().mapToLong(CountChange::delta).sum();
                var moved = state.checkpoints().moved(shardId, left.getLast());
                var inbox = Inbox.counted(key, sum, moved);
                return created(inbox);
              }
              if (!item.isEmpty()) {
                CountedState.requireCounters(key, item, left);
              }
              var count = new CountUpdate(key, shardId, left, state, Optional.of(rule));
              return table
                  .update(key, count.update(), count.condition().returningItem())
                  .existing(key);
            });
  }

  /**
   * Creates an inbox. No account that is gone gets one: its erasure deletes the notifications, and
   * a call that was under way before must not leave an inbox behind it.
   *
   * @return the item that is there instead, and no attributes where the write must come again;
   *     empty when all is done
   */
  private Optional<Map<String, AttributeValue>> created(Inbox inbox) {
    var account = User.key(inbox.userId());
    var outcome =
        table.transaction().check(account, present()).put(inbox, absent().returningItem()).commit();
    return outcome.isDone() || outcome.failedAt(account)
        ? Optional.empty()
        : Optional.of(outcome.existing(inbox.key()).orElse(Map.of()));
  }

  /**
   * Returns whether a change adds, even if others take all of it back. An inbox without a
   * checkpoint would let an earlier call for some of these records, which is still running, create
   * it.
   */
  private static boolean adds(List<CountChange> changes) {
    return changes.stream().anyMatch(change -> change.delta() > 0);
  }
}
