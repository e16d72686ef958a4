package social.feed.testkit.simulation;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import social.feed.testkit.fault.Wire;

/** A modeled world with both lanes of the stream, which deliver one batch per call. */
final class World {
  private static final int CATCH_UP = 12;
  private static final int MAX_STEPS = 3_000;

  private final StreamedTable table;
  private final Subject subject;
  private final RandomGenerator random;
  private final int countsOneIn;
  private final ShardNumbers numbers = new ShardNumbers();
  private final ModeledWorld modeled;
  final Map<String, Integer> happened = new TreeMap<>();
  final ReferenceModel model;
  final EventLane counts;
  final EventLane effects;
  final SimulatedUsers users;

  World(
      String name,
      StreamedTable table,
      Subject subject,
      Clock clock,
      RandomGenerator random,
      Wire functionWire,
      Wire apiWire,
      Runnable restart,
      HistoryLog log,
      RandomGenerator ids,
      Scale scale,
      int countsOneIn) {
    this.countsOneIn = countsOneIn;
    this.table = table;
    this.subject = subject;
    this.random = random;
    this.modeled = new ModeledWorld(name, table, table.over(apiWire), clock, restart, ids, scale);
    this.model = modeled.model;
    this.users = modeled.users;
    var function = subject.function(table.over(functionWire), clock, scale, modeled.sinks());
    this.counts =
        new EventLane(
            "counts", 1, true, subject::isCounted, function, random, happened, log, restart);
    this.effects =
        new EventLane(
            "effects",
            scale.tracks(),
            false,
            subject::hasEffects,
            function,
            random,
            happened,
            log,
            restart);
  }

  /**
   * Reads new records from the stream and offers them to both lanes.
   *
   * @return whether there were new records
   */
  boolean poll() {
    var read = table.read();
    read.forEach(tailed -> modeled.note(tailed.record()));
    read.stream()
        .map(numbers::withShardPrefix)
        .forEach(
            tailed -> {
              counts.offer(tailed);
              effects.offer(tailed);
            });
    return !read.isEmpty();
  }

  /**
   * Delivers one batch of one lane.
   *
   * @return whether a batch was ready
   */
  boolean step() {
    return random.nextInt(countsOneIn) == 0
        ? counts.step() || effects.step()
        : effects.step() || counts.step();
  }

  /**
   * Delivers the effects of all records so far, in a limited number of batches.
   *
   * @return the number of batches
   */
  int catchUp() {
    poll();
    int steps = 0;
    while (steps < CATCH_UP && effects.step()) {
      poll();
      steps++;
    }
    return steps;
  }

  /** Delivers all records and all records that follow from them. */
  void settle() {
    for (int steps = 0; steps < MAX_STEPS; steps++) {
      if (!step() && !poll()) {
        return;
      }
    }
    modeled.neverSettles("still work after " + MAX_STEPS + " batches");
  }

  /** Runs sweeps as of a day later, until one finds no row of an erased account. */
  void endErasure(String user) {
    modeled.endErasure(user, this::settle);
  }

  /** Ends all erasures, also of what requests added while they went on. */
  void endErasures() {
    for (var user : List.copyOf(model.erased())) {
      model.erase(user);
      endErasure(user);
    }
  }

  /** Lets the store of media fail to remove objects, or no longer. */
  void failMedia(boolean fails) {
    modeled.failMedia(fails);
  }

  /** Lets the timers of removals of media expire, as TTL does. */
  void expireRemovals() {
    modeled.expireRemovals();
  }

  /** Deletes half of what has expired, as TTL does. Everything must be delivered. */
  void expire() {
    modeled.expire();
  }

  /** Runs sweeps while the store of media still fails. */
  void sweepBeforeObjectsAreRemoved() {
    modeled.sweepBeforeObjectsAreRemoved(this::settle);
  }

  /** Runs a sweep next to everything else; it is too early for a proof. */
  void sweep() {
    modeled.sweep();
  }

  /** Adds what verify reports now as violations. Everything must be delivered. */
  void inspect() {
    modeled.inspect(subject);
  }

  /** Returns the differences between the table and the model, without order. */
  List<String> violations() {
    return modeled.violations();
  }

  void register(String... names) {
    modeled.register(names);
  }
}
