package social.feed.table.counter;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.Ranked;
import social.feed.table.user.CelebrityRule;

/**
 * Counters that a replay cannot change. Next to its counters an item holds a checkpoint for each
 * shard of the stream: the sequence number up to which the counters cover the shard. A batch adds
 * the changes after the checkpoint and moves the checkpoint in the same update, on condition that
 * the checkpoint still is the one that was read. The same update removes the checkpoints of shards
 * whose records the stream has dropped.
 *
 * <p>Correct while a shard's records arrive in order, one batch at a time, without gaps; and while
 * every change of a counter comes from one partition key.
 */
public final class Counters {
  private final Table table;
  private final CelebrityRule rule;
  private final RankedCounters rankings;

  /**
   * @param rule sets and clears the flag of accounts with their followers
   */
  public Counters(Table table, CelebrityRule rule) {
    this.table = table;
    this.rule = rule;
    this.rankings = new RankedCounters(table);
  }

  /**
   * Applies changes of one shard to their items. Half a read unit for each 4 KB of an item, and one
   * write unit a KB of each item that changes, however many changes it has. Two more for the index
   * where a change moves the item's rank.
   *
   * @param shardId the shard that all changes come from
   * @param changes for each item its changes in the order of the stream; an absent item stays
   *     absent, except for the rows of a ranking, which hold only counts
   * @throws ThrottledException when concurrent writes keep changing the same item
   */
  public void apply(String shardId, Map<Key, List<CountChange>> changes) {
    var counted = new LinkedHashMap<Key, List<CountChange>>();
    var ranked = new LinkedHashMap<Ranked, List<CountChange>>();
    changes.forEach(
        (key, ofItem) ->
            Ranked.of(key, shardId)
                .ifPresentOrElse(row -> ranked.put(row, ofItem), () -> counted.put(key, ofItem)));
    count(shardId, counted);
    rankings.apply(shardId, ranked);
  }

  private void count(String shardId, Map<Key, List<CountChange>> changes) {
    var states = states(changes.keySet());
    // The read is eventually consistent: an item that it did not see may exist.
    changes.forEach(
        (key, ofItem) -> apply(key, shardId, ofItem, states.getOrDefault(key, CountedState.NEW)));
  }

  private Map<Key, CountedState> states(Collection<Key> keys) {
    var states = new HashMap<Key, CountedState>();
    for (var row : table.getAll(keys, false)) {
      if (row instanceof Counted counted) {
        states.put(row.key(), CountedState.of(counted));
      }
    }
    return states;
  }

  private void apply(Key key, String shardId, List<CountChange> changes, CountedState read) {
    table
        .retry()
        .withoutPauses()
        .onRest(
            "Counters at " + key,
            read,
            state -> {
              var left = state.checkpoints().behind(shardId, changes);
              if (left.isEmpty()) {
                return Optional.empty();
              }
              var count = new CountUpdate(key, shardId, left, state, rule);
              return table
                  .update(key, count.update(), count.condition().returningItem())
                  .existing(key)
                  .map(CountedState::of);
            });
  }
}
