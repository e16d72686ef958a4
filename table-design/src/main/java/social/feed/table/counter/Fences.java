package social.feed.table.counter;

import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Fence;
import social.feed.table.row.Key;

/**
 * Shows that a lane of the multiplexer has applied every record of a partition that was written
 * before a fence. The lane of counts handles a shard in order, and a shard holds the records of a
 * contiguous range of keys. So two fences, in front of all rows of a partition and behind them,
 * cover the rows between them where both were passed in one shard. The lane of effects keeps the
 * order of an item only, and passes a fence after all else of its batch: where batches of a shard
 * run concurrently, a fence there may be passed some batches too early.
 */
public final class Fences {
  private final Table table;
  private final Clock clock;

  /**
   * @param clock decides when fences expire
   */
  public Fences(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /**
   * Where a fence is raised.
   *
   * @param partition a partition key
   * @param ofEffects whether the lane of effects must pass it, not the lane of counts
   */
  public record Place(String partition, boolean ofEffects) {
    /** Returns the place of a fence that the lane of counts must pass. */
    public static Place counts(String partition) {
      return new Place(partition, false);
    }

    /** Returns the place of a fence that the lane of effects must pass. */
    public static Place effects(String partition) {
      return new Place(partition, true);
    }
  }

  /** How far a lane is with a place. */
  public enum Passage {
    /** The lane has not applied the records before the fence. */
    WAITING,
    /** The lane has applied all records of the partition that were written before the fence. */
    PASSED,
    /** The rows of the partition lie in several shards, so two fences do not cover them. */
    DIVIDED
  }

  /**
   * Returns whether the table has or had a stream. Without one, no lane can be behind. One call to
   * describe the table.
   */
  public boolean areNeeded() {
    return table.client().describeTable(d -> d.tableName(table.name())).table().latestStreamArn()
        != null;
  }

  /**
   * Raises fences at some places. Two write units a place, and as many behind the stream in the
   * lane of counts, eight in the lane of effects. TTL removes the rows.
   *
   * @return the name of the fences
   */
  public String raise(Collection<Place> places) {
    var name = UUID.randomUUID().toString();
    long end = clock.instant().plus(Retention.FENCES).getEpochSecond();
    table.putAll(
        places.stream()
            .flatMap(
                place -> Stream.of(fence(place, name, false, end), fence(place, name, true, end)))
            .toList());
    return name;
  }

  private static Fence fence(Place place, String name, boolean last, long end) {
    return new Fence(
        place.partition(), nameAt(place, name), last, place.ofEffects(), 0, Map.of(), end);
  }

  /**
   * Returns how far the lanes are with fences. One read unit a place.
   *
   * @param name from {@link #raise}
   */
  public Map<Place, Passage> passages(String name, Collection<Place> places) {
    var stored = new HashMap<Key, Fence>();
    var keys =
        places.stream()
            .flatMap(place -> Stream.of(key(place, name, false), key(place, name, true)));
    table.getAll(keys.toList(), false).forEach(row -> stored.put(row.key(), (Fence) row));
    var passages = new HashMap<Place, Passage>();
    for (var place : places) {
      var first = stored.get(key(place, name, false));
      var last = stored.get(key(place, name, true));
      passages.put(place, first == null || last == null ? Passage.WAITING : passage(first, last));
    }
    return passages;
  }

  private static Key key(Place place, String name, boolean last) {
    return Fence.key(place.partition(), nameAt(place, name), last);
  }

  /** Both lanes may have a place in one partition. */
  private static String nameAt(Place place, String name) {
    return place.ofEffects() ? name + "-effects" : name;
  }

  private static Passage passage(Fence first, Fence last) {
    if (first.passed() == 0 || last.passed() == 0) {
      return Passage.WAITING;
    }
    return first.marks().keySet().equals(last.marks().keySet()) ? Passage.PASSED : Passage.DIVIDED;
  }
}
