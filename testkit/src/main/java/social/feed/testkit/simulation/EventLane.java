package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.testkit.fault.CrashPoint.Crash;

/**
 * An event source without threads, which delivers one batch per call; a generator chooses the
 * batch. It keeps the guarantees of an event source: records of one item arrive in order, and a
 * shard starts when its parent is done. The generator decides everything else: the batch size,
 * whether an answer is lost, and whether delivered records are repeated.
 */
final class EventLane {
  /** The answers in a hundred that are lost. */
  private static final int LOST_PER_HUNDRED = 15;

  /**
   * The maximum number of attempts at one record; with the configured faults a record succeeds long
   * before.
   */
  private static final int MAX_ATTEMPTS = 100;

  private final String name;
  private final int tracks;
  private final boolean isWindowed;
  private final Predicate<DynamodbStreamRecord> filter;
  private final StreamFunction function;
  private final RandomGenerator random;
  private final Map<String, List<ShardTrack>> shards = new LinkedHashMap<>();
  private final Map<String, Integer> happened;
  private final HistoryLog log;
  private final Runnable restart;
  private boolean isReliable;

  /**
   * @param name the name of the lane in the log
   * @param tracks the number of batches of one shard that may run at once, with different keys
   * @param isWindowed whether events contain their shard
   * @param happened counts the disturbances by name
   * @param restart restarts the function after a crash
   */
  EventLane(
      String name,
      int tracks,
      boolean isWindowed,
      Predicate<DynamodbStreamRecord> filter,
      StreamFunction function,
      RandomGenerator random,
      Map<String, Integer> happened,
      HistoryLog log,
      Runnable restart) {
    this.name = name;
    this.log = log;
    this.restart = restart;
    this.tracks = tracks;
    this.isWindowed = isWindowed;
    this.filter = filter;
    this.function = function;
    this.random = random;
    this.happened = happened;
  }

  /** Adds a record of the stream, if the filter of the lane accepts it. */
  public void offer(Tailed tailed) {
    var shard =
        shards.computeIfAbsent(
            tailed.shardId(),
            id -> {
              var of = new ArrayList<ShardTrack>();
              for (int i = 0; i < tracks; i++) {
                of.add(new ShardTrack(id));
              }
              return of;
            });
    if (filter.test(tailed.record())) {
      shard.get(track(tailed.record())).offer(tailed.record());
    }
  }

  /** Lambda documents an order for an item only. */
  private int track(DynamodbStreamRecord record) {
    var keys = record.getDynamodb().getKeys();
    var item = keys.get(BaseTable.PK) + "/" + keys.get(BaseTable.SK);
    return Math.floorMod(item.hashCode(), tracks);
  }

  /** Stops losing answers. */
  public void becomeReliable() {
    isReliable = true;
  }

  /** Returns whether a batch is running. */
  public boolean isBusy() {
    return shards.values().stream().flatMap(List::stream).anyMatch(track -> !track.isFree());
  }

  /**
   * Delivers a batch.
   *
   * @return whether one was ready
   */
  public boolean step() {
    var ready = current().stream().filter(t -> t.isFree() && t.available() > 0).toList();
    if (ready.isEmpty()) {
      return false;
    }
    var track = ready.get(random.nextInt(ready.size()));
    deliver(track, track.begin(size(track)));
    return true;
  }

  /**
   * Delivers a running batch again, as after a time-out. The first delivery may still write.
   *
   * @return whether a batch was running
   */
  public boolean redeliverRunning() {
    var busy = current().stream().filter(t -> !t.isFree() && t.available() > 0).toList();
    if (busy.isEmpty()) {
      return false;
    }
    count("delivered while the first still ran");
    var track = busy.get(random.nextInt(busy.size()));
    // Often fewer records than before, as an event source that bisects a batch sends.
    int most = random.nextBoolean() ? Math.max(1, track.underWay() - 1) : track.available();
    deliver(track, track.begin(1 + random.nextInt(Math.min(most, track.available()))));
    return true;
  }

  /**
   * Delivers the batch after a running one of the same shard, which an event source must not do.
   *
   * @return whether there was such a batch
   */
  public boolean overtake() {
    var busy = current().stream().filter(t -> !t.isFree() && t.availableBehind() > 0).findFirst();
    busy.ifPresent(t -> deliver(t, t.overtake(1 + random.nextInt(t.availableBehind()))));
    return busy.isPresent();
  }

  /**
   * Returns the lane to an earlier position, some records back or to its start. Does nothing while
   * a batch is running.
   */
  public void rewind() {
    if (shards.values().stream().flatMap(List::stream).allMatch(ShardTrack::isFree)) {
      count("set back");
      boolean all = random.nextInt(4) == 0;
      int records = 1 + random.nextInt(8);
      for (var shard : all ? shards.values() : List.of(current())) {
        shard.forEach(track -> track.rewind(all ? Integer.MAX_VALUE : records));
      }
    }
  }

  /**
   * Invokes the function again with a random delivered record, as a redrive of a dead letter does.
   */
  public void redrive() {
    var old = shards.values().stream().flatMap(List::stream).flatMap(t -> t.done().stream());
    var all = old.toList();
    if (!all.isEmpty()) {
      count("redriven");
      redrive(all.get(random.nextInt(all.size())));
    }
  }

  /** Repeats a redrive until it succeeds, as a dead letter stays in its queue until then. */
  private void redrive(DynamodbStreamRecord record) {
    for (int attempt = 0;
        attempt < MAX_ATTEMPTS && invoke("", List.of(record)) == null;
        attempt++) {
      count("redrive failed");
    }
  }

  /** Invokes the function again with each delivered record, one at a time. */
  public void redriveAll() {
    shards.values().stream()
        .flatMap(List::stream)
        .flatMap(track -> track.done().stream())
        .toList()
        .forEach(this::redrive);
  }

  /**
   * Returns a batch size. Half the time it is the largest possible one, as at the end of a window.
   */
  private int size(ShardTrack track) {
    return random.nextBoolean() ? track.available() : 1 + random.nextInt(track.available());
  }

  private List<ShardTrack> current() {
    return shards.values().stream()
        .filter(shard -> shard.stream().anyMatch(track -> !track.isDone()))
        .findFirst()
        .orElse(List.of());
  }

  private void deliver(ShardTrack track, ShardTrack.Batch batch) {
    var handled = invoke(track.shardId(), batch.records());
    if (!track.end(batch)) {
      return;
    }
    boolean lost = !isReliable && random.nextInt(100) < LOST_PER_HUNDRED;
    if (handled == null || lost) {
      count(handled == null ? "failed" : "answer of the function lost");
      if (batch.records().size() > 1) {
        count("cut in two");
      }
      track.failed(batch.records().size());
    } else {
      track.handled(handled);
    }
  }

  /**
   * Returns the records that the function has processed, or null when it must receive all again.
   */
  private @Nullable List<DynamodbStreamRecord> invoke(
      String shardId, List<DynamodbStreamRecord> records) {
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(new ArrayList<>(records));
    if (isWindowed) {
      event.setShardId(shardId);
      event.setState(Map.of());
    }
    log.add(() -> name + " " + shardId + " " + describe(records));
    return log.nested(
        () -> {
          try {
            return done(records, function.handle(event));
          } catch (Exception e) {
            return null;
          } catch (Crash e) {
            count("crashed");
            restart.run();
            return null;
          }
        });
  }

  private @Nullable List<DynamodbStreamRecord> done(
      List<DynamodbStreamRecord> records, @Nullable TimeWindowEventResponse response) {
    if (response == null || response.getBatchItemFailures().isEmpty()) {
      return records;
    }
    count("answered in part");
    var first = response.getBatchItemFailures().getFirst().getItemIdentifier();
    int until = 0;
    while (!records.get(until).getDynamodb().getSequenceNumber().equals(first)) {
      until++;
    }
    return until == 0 ? null : records.subList(0, until);
  }

  private static List<String> describe(List<DynamodbStreamRecord> records) {
    return records.stream()
        .map(
            record ->
                record.getDynamodb().getSequenceNumber()
                    + " "
                    + record.getEventName()
                    + " "
                    + record.getDynamodb().getKeys().values())
        .toList();
  }

  private void count(String what) {
    log.add(() -> name + ": " + what);
    happened.merge(what, 1, Integer::sum);
  }
}
