package social.feed.testkit.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The states of items that reads may still return, because they lag behind writes. The table and
 * its indexes lag differently.
 */
final class RecentStates implements Replica {
  private final VirtualTime time;
  private final Duration lag;
  private final Duration indexLag;
  private final LinkedHashMap<Key, List<State>> recent = new LinkedHashMap<>();

  /** A state that an item has since a time, in microseconds. */
  private record State(Optional<Map<String, AttributeValue>> item, long since) {}

  /**
   * @param lag how long an eventually consistent read of the table may lag behind a write
   * @param indexLag how long a query of an index may lag behind a write
   */
  RecentStates(VirtualTime time, Duration lag, Duration indexLag) {
    this.time = time;
    this.lag = lag;
    this.indexLag = indexLag;
  }

  /** Notes what an item was before a write, and is now. */
  void note(
      Key key,
      Optional<Map<String, AttributeValue>> before,
      Optional<Map<String, AttributeValue>> after) {
    if (before.equals(after)) {
      return;
    }
    var states = recent.computeIfAbsent(key, _ -> new ArrayList<>());
    if (states.isEmpty()) {
      states.add(new State(before, Long.MIN_VALUE));
    }
    states.add(new State(after, time.micros()));
  }

  @Override
  public Set<Key> changed() {
    return changed(lag);
  }

  @Override
  public List<Optional<Map<String, AttributeValue>>> states(Key key) {
    return states(key, lag);
  }

  @Override
  public Replica ofIndexes() {
    return new Replica() {
      @Override
      public Set<Key> changed() {
        return RecentStates.this.changed(indexLag);
      }

      @Override
      public List<Optional<Map<String, AttributeValue>>> states(Key key) {
        return RecentStates.this.states(key, indexLag);
      }
    };
  }

  private Set<Key> changed(Duration longest) {
    forgetOldStates();
    long seen = seenSince(longest);
    var changed = new LinkedHashSet<Key>();
    recent.forEach(
        (key, states) -> {
          if (states.getLast().since >= seen) {
            changed.add(key);
          }
        });
    return changed;
  }

  private List<Optional<Map<String, AttributeValue>>> states(Key key, Duration longest) {
    long seen = seenSince(longest);
    var states = recent.getOrDefault(key, List.of());
    var possible = new ArrayList<Optional<Map<String, AttributeValue>>>();
    for (int i = 0; i < states.size(); i++) {
      if (i + 1 == states.size() || states.get(i + 1).since >= seen) {
        possible.add(states.get(i).item);
      }
    }
    return possible;
  }

  /** Returns the time before which each read sees a state, or a later one, in microseconds. */
  private long seenSince(Duration longest) {
    return time.micros() - longest.toNanos() / 1_000;
  }

  private void forgetOldStates() {
    long seen = seenSince(lag.compareTo(indexLag) > 0 ? lag : indexLag);
    for (var all = recent.values().iterator(); all.hasNext(); ) {
      var states = all.next();
      while (states.size() > 1 && states.get(1).since < seen) {
        states.removeFirst();
      }
      if (states.size() == 1) {
        all.remove();
      }
    }
  }
}
