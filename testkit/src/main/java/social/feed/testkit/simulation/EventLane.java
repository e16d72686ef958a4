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
 * An event source without threads: delivers one batch when it is told to, chosen by a generator.
 * What an event source guarantees holds: records with one partition key come in their order, a
 * shard when its parent is done. All else is by chance: how many come at once, whether an answer is
 * lost, whether what was done comes again.
 */
final class EventLane {
  /** Of a hundred answers so many are lost. */
  private static final int LOST = 15;

  /** Attempts at one record, of which most would have to fail. */
  private static final int ENOUGH = 100;

  private final String name;
  private final int tracks;
  private final boolean isWindowed;
  private final Predicate<DynamodbStreamRecord> filter;
  private final StreamFunction function;
  private final RandomGenerator random;
  private final Map<String, List<ShardTrack>> shards = new LinkedHashMap<>();
  private final Map<String, Integer> happened;
  private final HistoryLog story;
  private final Runnable revive;
  private boolean isReliable;

  /**
   * @param name how the story calls it
   * @param tracks batches of one shard that may be under way at once, with different keys
   * @param isWindowed whether events name their shard
   * @param revive starts the function again after it crashed
   * @param happened counts what went wrong, by a name
   */
  EventLane(
      String name,
      int tracks,
      boolean isWindowed,
      Predicate<DynamodbStreamRecord> filter,
      StreamFunction function,
      RandomGenerator random,
      Map<String, Integer> happened,
      HistoryLog story,
      Runnable revive) {
    this.name = name;
    this.story = story;
    this.revive = revive;
    this.tracks = tracks;
    this.isWindowed = isWindowed;
    this.filter = filter;
    this.function = function;
    this.random = random;
    this.happened = happened;
  }

  /** Takes what was read from the stream. */
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
      var key = String.valueOf(tailed.record().getDynamodb().getKeys().get(BaseTable.PK));
      shard.get(Math.floorMod(key.hashCode(), tracks)).offer(tailed.record());
    }
  }

  /** From now on no answer is lost. */
  public void becomeReliable() {
    isReliable = true;
  }

  public boolean hasWork() {
    return shards.values().stream().flatMap(List::stream).anyMatch(track -> !track.isDone());
  }

  /** Whether a batch is under way. */
  public boolean isBusy() {
    return shards.values().stream().flatMap(List::stream).anyMatch(track -> !track.isFree());
  }

  /** Delivers a batch, where there is one that may be delivered. */
  public boolean step() {
    var ready = current().stream().filter(t -> t.isFree() && t.available() > 0).toList();
    if (ready.isEmpty()) {
      return false;
    }
    var track = ready.get(random.nextInt(ready.size()));
    deliver(track, track.begin(size(track)));
    return true;
  }

  /** Delivers a batch again that is under way, as after a time-out: the first may still write. */
  public boolean stepBeside() {
    var busy = current().stream().filter(t -> !t.isFree() && t.available() > 0).toList();
    if (busy.isEmpty()) {
      return false;
    }
    note("delivered while the first still ran");
    var track = busy.get(random.nextInt(busy.size()));
    // Often less than before, as an event source that cuts in two does it.
    int most = random.nextBoolean() ? Math.max(1, track.underWay() - 1) : track.available();
    deliver(track, track.begin(1 + random.nextInt(Math.min(most, track.available()))));
    return true;
  }

  /** Delivers the batch behind one that is under way, which no event source may do. */
  public boolean overtake() {
    var busy = current().stream().filter(t -> !t.isFree() && t.availableBehind() > 0).findFirst();
    busy.ifPresent(t -> deliver(t, t.overtake(1 + random.nextInt(t.availableBehind()))));
    return busy.isPresent();
  }

  /** Sets the lane back, by some records or to its beginning. */
  public void rewind() {
    if (shards.values().stream().flatMap(List::stream).allMatch(ShardTrack::isFree)) {
      note("set back");
      boolean all = random.nextInt(4) == 0;
      int records = 1 + random.nextInt(8);
      for (var shard : all ? shards.values() : List.of(current())) {
        shard.forEach(track -> track.rewind(all ? Integer.MAX_VALUE : records));
      }
    }
  }

  /** Gives an old record to the function again, as somebody who redrives a dead letter. */
  public void redrive() {
    var old = shards.values().stream().flatMap(List::stream).flatMap(t -> t.done().stream());
    var all = old.toList();
    if (!all.isEmpty()) {
      note("redriven");
      redrive(all.get(random.nextInt(all.size())));
    }
  }

  /** Whoever redrives a letter keeps it until it is done. */
  private void redrive(DynamodbStreamRecord record) {
    for (int attempt = 0; attempt < ENOUGH && invoke("", List.of(record)) == null; attempt++) {
      note("redriven in vain");
    }
  }

  /** Gives all old records to the function again, each on its own. */
  public void redriveAll() {
    shards.values().stream()
        .flatMap(List::stream)
        .flatMap(track -> track.done().stream())
        .toList()
        .forEach(this::redrive);
  }

  /** Often all there is, as when a window ends. */
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
    boolean lost = !isReliable && random.nextInt(100) < LOST;
    if (handled == null || lost) {
      note(handled == null ? "failed" : "answer of the function lost");
      if (batch.records().size() > 1) {
        note("cut in two");
      }
      track.failed(batch.records().size());
    } else {
      track.handled(handled);
    }
  }

  /** What of a batch is done, or null when all of it is to come again. */
  private @Nullable List<DynamodbStreamRecord> invoke(
      String shardId, List<DynamodbStreamRecord> records) {
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(new ArrayList<>(records));
    if (isWindowed) {
      event.setShardId(shardId);
      event.setState(Map.of());
    }
    story.tell(() -> name + " " + shardId + " " + describe(records));
    return story.within(
        () -> {
          try {
            return done(records, function.handle(event));
          } catch (Exception e) {
            return null;
          } catch (Crash e) {
            note("crashed");
            revive.run();
            return null;
          }
        });
  }

  private @Nullable List<DynamodbStreamRecord> done(
      List<DynamodbStreamRecord> records, @Nullable TimeWindowEventResponse response) {
    if (response == null || response.getBatchItemFailures().isEmpty()) {
      return records;
    }
    note("answered in part");
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

  private void note(String what) {
    story.tell(() -> name + ": " + what);
    happened.merge(what, 1, Integer::sum);
  }
}
