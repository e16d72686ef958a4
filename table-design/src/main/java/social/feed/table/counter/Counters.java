package social.feed.table.counter;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.Ranked;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Counters that a replay cannot move. Beside its counters an item keeps, for each shard of the
 * stream, the sequence number up to which they cover it. A batch adds what lies behind the mark and
 * moves the mark in the same update, on condition that the mark still is exactly the one that was
 * read. Marks of shards long gone are dropped when a new shard gets its first.
 *
 * <p>Sound while a shard's records arrive in order, one batch at a time, none of them left out; and
 * while every change of a counter comes from one partition key.
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
   * write unit a KB of each item that changes, however many changes it has. Where the item is
   * ranked by what changes, two more for the index.
   *
   * @param shardId the shard that all changes come from
   * @param changes for each item its changes in the order of the stream; an absent item stays
   *     absent, but for the rows of a ranking, which hold nothing else than counts
   * @throws ThrottledException when others keep changing the same item
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
    // An item that this read did not see may be a new one that the read was too early for.
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
    var state = read;
    for (int attempt = 1; attempt <= table.backoff().attempts(); attempt++) {
      var left = behind(state.marks().of(shardId), changes);
      if (left.isEmpty()) {
        return;
      }
      try {
        table.client().updateItem(update(key, new CountUpdate(key, shardId, left, state, rule)));
        return;
      } catch (ConditionalCheckFailedException e) {
        if (!e.hasItem()) {
          return;
        }
        state = CountedState.of(e.item());
      }
    }
    throw new ThrottledException("Counters at " + key, changes.size(), table.backoff().attempts());
  }

  private static List<CountChange> behind(Optional<String> mark, List<CountChange> changes) {
    return mark.map(m -> changes.stream().filter(c -> c.isAfter(m)).toList()).orElse(changes);
  }

  private UpdateItemRequest update(Key key, CountUpdate update) {
    return update
        .request()
        .tableName(table.name())
        .key(KeyAttributes.of(key))
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .build();
  }
}
