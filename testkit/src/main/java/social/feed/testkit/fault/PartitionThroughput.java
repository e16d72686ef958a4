package social.feed.testkit.fault;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;

/**
 * The throughput of each partition key of a table and of its indexes.
 *
 * <p>A partition has a bucket of write units and one of read units, which fill at a constant rate
 * and hold the units of one second. It admits a call while its bucket holds something. The call
 * then takes its units, also below zero. So the rate is exact in the long run. Burst capacity
 * beyond a second is left out.
 *
 * <p>A partition of the table may be split by sort key. Each part has the whole throughput. Sort
 * keys that grow with time are all in one part, since their writes meet at one end.
 */
public final class PartitionThroughput {
  /** By how much a refused call raises the rate of its partition. */
  private static final double STEP = 1.1;

  private static final double MICROS = 1e6;

  /** What sort keys begin with that go on with a time. */
  private static final List<String> TIMED = List.of(Keys.NOTIFICATIONS, Keys.COMMENTS);

  private final VirtualTime time;
  private final CloudTable.Limits limits;
  private final Map<String, Bucket> buckets = new HashMap<>();
  private final Map<String, Long> throttled = new TreeMap<>();
  private double writeUnits;
  private double readUnits;
  private Duration lastWrite = Duration.ZERO;

  private static final class Bucket {
    private double write;
    private double read;
    private long filledAt;
    private double taken;
    private double given;
    private long writtenAt;
    private double rate = 1;
  }

  PartitionThroughput(VirtualTime time, CloudTable.Limits limits) {
    this.time = time;
    this.limits = limits;
  }

  /** Returns the write units so far, in the table and all indexes. */
  public double writeUnits() {
    return writeUnits;
  }

  /** Returns the read units so far. */
  public double readUnits() {
    return readUnits;
  }

  /** Returns the number of calls that each partition refused. */
  public Map<String, Long> throttled() {
    return throttled;
  }

  /** Returns when a partition of the table was last written to; empty when it never was. */
  public Optional<Duration> writtenAt(String partition) {
    return buckets.entrySet().stream()
        .filter(
            range -> range.getKey().equals(partition) || range.getKey().startsWith(partition + "/"))
        .map(Map.Entry::getValue)
        .filter(bucket -> bucket.taken > 0)
        .map(bucket -> Duration.of(bucket.writtenAt, ChronoUnit.MICROS))
        .max(Comparator.naturalOrder());
  }

  /** Returns when the table was last written to. */
  public Duration lastWrite() {
    return lastWrite;
  }

  /** Returns the write units that a partition has taken so far. */
  public double taken(String partition) {
    var bucket = buckets.get(partition);
    return bucket == null ? 0 : bucket.taken;
  }

  /** Returns the read units that a partition has given so far. */
  public double given(String partition) {
    var bucket = buckets.get(partition);
    return bucket == null ? 0 : bucket.given;
  }

  /** Returns the partition of the table that holds an item. */
  String partition(Key key) {
    var partition = EventualReads.partition(null, key.partition());
    return limits.ranges() == 1 ? partition : partition + "/" + range(key.sort());
  }

  private String range(String sortKey) {
    return TIMED.stream()
        .filter(sortKey::startsWith)
        .findFirst()
        .orElseGet(() -> Integer.toString(Math.floorMod(sortKey.hashCode(), limits.ranges())));
  }

  boolean takesWrites(String partition) {
    return bucket(partition).write > 0;
  }

  boolean givesReads(String partition) {
    return bucket(partition).read > 0;
  }

  /** Counts a refused call, which raises the rate of its partition up to the boost. */
  void refuse(String partition) {
    throttled.merge(partition, 1L, Long::sum);
    var bucket = bucket(partition);
    bucket.rate = Math.min(limits.boost(), bucket.rate * STEP);
  }

  void write(String partition, double units) {
    var bucket = bucket(partition);
    bucket.write -= units;
    bucket.taken += units;
    bucket.writtenAt = time.micros();
    lastWrite = time.passed();
    writeUnits += units;
  }

  void read(String partition, double units) {
    var bucket = bucket(partition);
    bucket.read -= units;
    bucket.given += units;
    readUnits += units;
  }

  /** Counts the units of a read of all partitions, which no single one gives. */
  void scan(double units) {
    readUnits += units;
  }

  /** Returns the bucket of a partition, filled up to now. */
  private Bucket bucket(String partition) {
    var bucket =
        buckets.computeIfAbsent(
            partition,
            _ -> {
              var full = new Bucket();
              full.write = limits.writeUnits();
              full.read = limits.readUnits();
              full.filledAt = time.micros();
              return full;
            });
    double seconds = (time.micros() - bucket.filledAt) / MICROS;
    double writes = bucket.rate * limits.writeUnits();
    double reads = bucket.rate * limits.readUnits();
    bucket.filledAt = time.micros();
    bucket.write = Math.min(writes, bucket.write + seconds * writes);
    bucket.read = Math.min(reads, bucket.read + seconds * reads);
    return bucket;
  }
}
