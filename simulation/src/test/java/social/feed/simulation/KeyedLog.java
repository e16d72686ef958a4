package social.feed.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import social.feed.event.DomainEvent;

/**
 * The log of a broker with keys, and one consumer for each of its partitions. Records of a key are
 * in one partition, in the order in which they were written. A consumer lags behind the others,
 * keeps a state for each entity that it sees, and begins again where it last said that it was.
 */
final class KeyedLog {
  private static final int PARTITIONS = 4;
  private static final int READ_AT_ONCE = 5;

  /** A consumer of a partition. Its states survive, and its place is that of its last commit. */
  private static final class Consumer {
    private final Map<String, DomainEvent> states = new HashMap<>();
    private int next;
    private int committed;
  }

  private final Random random;
  private final boolean keepsHighest;
  private final List<List<DomainEvent>> partitions;
  private final List<Consumer> consumers;

  /**
   * @param keepsHighest whether a consumer ignores lower versions than it has, as it must
   */
  KeyedLog(Random random, boolean keepsHighest) {
    this.random = random;
    this.keepsHighest = keepsHighest;
    this.partitions =
        IntStream.range(0, PARTITIONS)
            .mapToObj(_ -> (List<DomainEvent>) new ArrayList<DomainEvent>())
            .toList();
    this.consumers = IntStream.range(0, PARTITIONS).mapToObj(_ -> new Consumer()).toList();
  }

  void append(String key, DomainEvent event) {
    partitions.get(Math.floorMod(key.hashCode(), PARTITIONS)).add(event);
  }

  /** Returns all records, partition by partition. */
  List<DomainEvent> all() {
    return partitions.stream().flatMap(List::stream).toList();
  }

  /** Lets each consumer read a little, or die and begin again at its last commit. */
  void read() {
    for (int i = 0; i < PARTITIONS; i++) {
      var consumer = consumers.get(i);
      if (random.nextInt(6) == 0) {
        consumer.next = consumer.committed;
      }
      read(i, random.nextInt(READ_AT_ONCE));
      if (random.nextInt(4) == 0) {
        consumer.committed = consumer.next;
      }
    }
  }

  /** Lets each consumer read to the end. */
  void readAll() {
    for (int i = 0; i < PARTITIONS; i++) {
      read(i, Integer.MAX_VALUE);
    }
  }

  private void read(int partition, int records) {
    var log = partitions.get(partition);
    var consumer = consumers.get(partition);
    for (int i = 0; i < records && consumer.next < log.size(); i++) {
      var event = log.get(consumer.next);
      consumer.next++;
      consumer.states.merge(
          event.entity(),
          event,
          (before, now) ->
              keepsHighest && DomainEvent.BY_VERSION.compare(before, now) > 0 ? before : now);
    }
  }

  /** Returns the last events that the consumers have of an entity; one, if its key is its own. */
  List<DomainEvent> statesOf(String entity) {
    return consumers.stream()
        .filter(consumer -> consumer.states.containsKey(entity))
        .map(consumer -> consumer.states.get(entity))
        .toList();
  }
}
