package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.testkit.fault.CloudTable.FunctionTimeout;
import social.feed.testkit.fault.CloudTable.InvocationEnd;
import social.feed.testkit.fault.VirtualTime;

/**
 * A lane of the stream in the cloud: an event source mapping with its function. It keeps the order
 * of each partition key, retries a batch until it succeeds, and has the limits of its settings.
 */
public final class CloudLane {
  /** What an invocation takes in addition to the calls of its handlers. */
  private static final Duration INVOCATION = Duration.ofMillis(5);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Settings settings;
  private final Predicate<DynamodbStreamRecord> filter;
  private final StreamFunction function;
  private final VirtualTime time;
  private final VirtualTime.Slots slots;
  private final ThreadLocal<InvocationEnd> deadline;
  private final Map<String, Track> tracks = new HashMap<>();
  private final List<Handled> handled = new ArrayList<>();
  private final Disturbances disturbances;
  private boolean isHeld;
  private int running;
  private int invocations;
  private int timeouts;
  private int failures;

  /**
   * The event source mapping and the function of a lane.
   *
   * @param concurrency the invocations that run at once
   * @param tracks the batches of one shard that run at once, with different keys
   * @param isWindowed whether events name their shard
   * @param bisects whether a batch that failed is cut in two
   * @param batch the records of a batch at most
   * @param window how long records are collected before a batch is sent
   * @param deadline the time that an invocation has
   */
  public record Settings(
      int concurrency,
      int tracks,
      boolean isWindowed,
      boolean bisects,
      int batch,
      Duration window,
      Duration deadline) {}

  /**
   * A record that the lane has handled.
   *
   * @param partition the partition key of its item
   * @param at when it arrived in the stream
   * @param delay the time from then to the end of the batch
   */
  public record Handled(String partition, Duration at, Duration delay) {}

  private record Arrived(String shardId, DynamodbStreamRecord record, Duration at) {}

  /** What goes wrong in a lane in addition to its limits: nothing, unless a history decides it. */
  interface Disturbances {
    /** Returns the time of the next invocation. */
    default Duration allowed(Duration deadline) {
      return deadline;
    }

    /** Returns the number of records of the next batch, of those that are ready. */
    default int size(int ready) {
      return ready;
    }

    /** Returns whether the answer of an invocation is lost, so that its batch comes again. */
    default boolean losesAnswer() {
      return false;
    }

    /** Notes something that happened. */
    default void happened(String what) {}
  }

  /**
   * @param slots the invocations that may run at once, which lanes may share
   * @param deadline carries the end of an invocation to its calls
   */
  CloudLane(
      Settings settings,
      Predicate<DynamodbStreamRecord> filter,
      StreamFunction function,
      VirtualTime time,
      VirtualTime.Slots slots,
      ThreadLocal<InvocationEnd> deadline,
      Disturbances disturbances) {
    this.settings = settings;
    this.filter = filter;
    this.function = function;
    this.time = time;
    this.slots = slots;
    this.deadline = deadline;
    this.disturbances = disturbances;
  }

  /** Stops the lane before its next batches; its records wait. */
  public void hold() {
    isHeld = true;
  }

  /** Lets a held lane go on. */
  public void resume() {
    isHeld = false;
    tracks.values().forEach(track -> track.arrived.give());
  }

  /** Returns the handled records, in their order. */
  public List<Handled> handled() {
    return handled;
  }

  /** Returns the number of records that wait. */
  public int waiting() {
    return tracks.values().stream().mapToInt(track -> track.pending.size()).sum();
  }

  /** Returns whether no record waits and no invocation runs, not even one that was given up. */
  boolean isIdle() {
    return waiting() == 0 && running == 0;
  }

  /**
   * Makes records that were handled come again, in each track whose batch does not run now.
   *
   * @param records the last records of a track at most
   * @param since the time from which on the stream still has its records
   */
  void rewind(int records, Duration since) {
    disturbances.happened("set back");
    tracks.values().forEach(track -> track.rewind(records, since));
  }

  /** Returns a record that was handled, for a redrive; empty when there is none. */
  Optional<DynamodbStreamRecord> anyHandled(RandomGenerator random) {
    var all = tracks.values().stream().flatMap(track -> track.done.stream()).toList();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(all.get(random.nextInt(all.size())).record);
  }

  /** Invokes the function with one record until it succeeds, as a redrive of dead letters does. */
  void redrive(DynamodbStreamRecord record) {
    disturbances.happened("redriven");
    running++;
    time.start(
        Duration.ZERO,
        () -> {
          var again = List.of(new Arrived("", record, time.passed()));
          while (invoke(again) == 0) {
            time.sleep(FIRST_PAUSE);
          }
          running--;
        });
  }

  public int invocations() {
    return invocations;
  }

  /** Returns the number of invocations that did not end within the deadline. */
  public int timeouts() {
    return timeouts;
  }

  /** Returns the number of invocations after which records came again. */
  public int failures() {
    return failures;
  }

  /**
   * Adds a record of the stream, if the filter of the lane accepts it.
   *
   * @param place the number of the shard and of those that it continues
   */
  void offer(int place, Tailed tailed) {
    if (filter.test(tailed.record())) {
      int number = Math.floorMod(partition(tailed.record()).hashCode(), settings.tracks);
      tracks
          .computeIfAbsent(place + "/" + number, _ -> new Track())
          .offer(new Arrived(tailed.shardId(), tailed.record(), time.passed()));
    }
  }

  private static String partition(DynamodbStreamRecord record) {
    return requireNonNull(record.getDynamodb().getKeys().get(BaseTable.PK)).getS();
  }

  /** The records of some keys of a shard, one batch after the other. */
  private final class Track {
    private final List<Arrived> done = new ArrayList<>();
    private final List<Arrived> pending = new ArrayList<>();
    private final VirtualTime.Signal arrived = time.new Signal();
    private int limit = settings.batch;
    private boolean isRunning;

    Track() {
      time.start(Duration.ZERO, this::run);
    }

    void offer(Arrived record) {
      pending.add(record);
      arrived.give();
    }

    void rewind(int records, Duration since) {
      if (!isRunning) {
        var again =
            done.subList(Math.max(0, done.size() - records), done.size()).stream()
                .filter(record -> record.at.compareTo(since) >= 0)
                .toList();
        done.removeAll(again);
        pending.addAll(0, again);
        arrived.give();
      }
    }

    private void run() {
      int failed = 0;
      while (true) {
        while (isHeld || pending.isEmpty()) {
          arrived.await();
        }
        if (pending.size() < settings.batch) {
          time.sleep(settings.window);
        }
        if (slots.areTaken()) {
          disturbances.happened("waited for concurrency");
        }
        slots.acquire();
        isRunning = true;
        int until = invoke(batch());
        isRunning = false;
        slots.release();
        var ended = pending.subList(0, until);
        for (var record : ended) {
          handled.add(
              new Handled(partition(record.record), record.at, time.passed().minus(record.at)));
        }
        done.addAll(ended);
        ended.clear();
        failed = until == 0 ? failed + 1 : 0;
        if (failed > 0) {
          failures++;
          limit = settings.bisects ? Math.max(1, limit / 2) : limit;
          var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failed - 1, 8));
          time.sleep(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
        } else {
          limit = settings.batch;
        }
      }
    }

    /** A child shard begins when its parent is done. */
    private List<Arrived> batch() {
      var shard = pending.getFirst().shardId;
      var ready =
          pending.stream()
              .limit(Math.min(limit, pending.size()))
              .takeWhile(record -> record.shardId.equals(shard))
              .toList();
      return List.copyOf(ready.subList(0, disturbances.size(ready.size())));
    }
  }

  /**
   * Invokes the function. An invocation that passes its deadline is given up; its last call may
   * still be applied, next to what comes afterwards.
   *
   * @return the number of records that need not come again
   */
  private int invoke(List<Arrived> batch) {
    invocations++;
    var end = InvocationEnd.of(time.passed(), disturbances.allowed(settings.deadline));
    var invocation = new Invocation(batch);
    deadline.set(end);
    time.start(Duration.ZERO, invocation);
    deadline.remove();
    time.start(end.timeout().minus(time.passed()), invocation.ended::give);
    while (!invocation.isOver && time.passed().compareTo(end.timeout()) < 0) {
      invocation.ended.await();
    }
    if (!invocation.isOver) {
      timeouts++;
      disturbances.happened("timed out");
      return 0;
    }
    if (invocation.done > 0 && disturbances.losesAnswer()) {
      disturbances.happened("answer of the function lost");
      return 0;
    }
    if (invocation.done > 0 && invocation.done < batch.size()) {
      disturbances.happened("answered in part");
    }
    return invocation.done;
  }

  /** An invocation of the function, which may go on after it was given up. */
  private final class Invocation implements Runnable {
    private final List<Arrived> batch;
    private final VirtualTime.Signal ended = time.new Signal();
    private boolean isOver;
    private int done;

    Invocation(List<Arrived> batch) {
      this.batch = batch;
    }

    @Override
    public void run() {
      running++;
      var event = new DynamodbTimeWindowEvent();
      event.setRecords(new ArrayList<>(batch.stream().map(Arrived::record).toList()));
      if (settings.isWindowed) {
        event.setShardId(batch.getFirst().shardId);
        event.setState(Map.of());
      }
      try {
        time.sleep(INVOCATION);
        done = CloudLane.done(batch, function.handle(event));
      } catch (FunctionTimeout | Exception e) {
        done = 0;
      }
      running--;
      isOver = true;
      ended.give();
    }
  }

  private static int done(List<Arrived> batch, @Nullable TimeWindowEventResponse response) {
    if (response == null || response.getBatchItemFailures().isEmpty()) {
      return batch.size();
    }
    var first = response.getBatchItemFailures().getFirst().getItemIdentifier();
    int until = 0;
    while (!batch.get(until).record.getDynamodb().getSequenceNumber().equals(first)) {
      until++;
    }
    return until;
  }
}
