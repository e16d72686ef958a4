package social.feed.testkit.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The states of items that reads may still return, because they lag behind writes. The table and
 * its indexes lag differently.
 */
final class RecentStates implements Replica {
  private final VirtualTime time;
  private final Duration lag;
  private final Duration indexLag;
  private final LinkedHashMap<Map<String, AttributeValue>, List<State>> recent =
      new LinkedHashMap<>();

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
      Map<String, AttributeValue> key,
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
  public Set<Map<String, AttributeValue>> changed() {
    return changed(lag);
  }

  @Override
  public List<Optional<Map<String, AttributeValue>>> states(Map<String, AttributeValue> key) {
    return states(key, lag);
  }

  @Override
  public Replica ofIndexes() {
    return new Replica() {
      @Override
      public Set<Map<String, AttributeValue>> changed() {
        return RecentStates.this.changed(indexLag);
      }

      @Override
      public List<Optional<Map<String, AttributeValue>>> states(Map<String, AttributeValue> key) {
        return RecentStates.this.states(key, indexLag);
      }
    };
  }

  private Set<Map<String, AttributeValue>> changed(Duration longest) {
    forgetOldStates();
    return recent.entrySet().stream()
        .filter(item -> !isPast(item.getValue().getLast(), longest))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private List<Optional<Map<String, AttributeValue>>> states(
      Map<String, AttributeValue> key, Duration longest) {
    var states = recent.getOrDefault(key, List.of());
    return IntStream.range(0, states.size())
        .filter(i -> i + 1 == states.size() || !isPast(states.get(i + 1), longest))
        .mapToObj(i -> states.get(i).item)
        .toList();
  }

  /** Returns whether each read sees a state, or a later one. */
  private boolean isPast(State state, Duration longest) {
    return state.since < time.micros() - longest.toNanos() / 1_000;
  }

  private void forgetOldStates() {
    var longest = lag.compareTo(indexLag) > 0 ? lag : indexLag;
    for (var all = recent.values().iterator(); all.hasNext(); ) {
      var states = all.next();
      while (states.size() > 1 && isPast(states.get(1), longest)) {
        states.removeFirst();
      }
      if (states.size() == 1) {
        all.remove();
      }
    }
  }
}
