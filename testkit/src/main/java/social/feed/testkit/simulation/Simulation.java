package social.feed.testkit.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.fault.Faults;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Runs histories on one table. A seed determines a history: the users' actions, the batches of the
 * stream, the faults and the interleaving. A seed gives the same history regardless of the
 * histories that ran before it.
 */
public final class Simulation {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final int TURNS = 80;

  /**
   * The length of one absence; a history has three. Fan-out skips a reader who readsHomeFeed in
   * neither of the first two, notifications expire in the third one, and feed entries outlive all.
   */
  private static final Duration ABSENT = Duration.ofDays(16);

  /** Deliveries after the last turn, with faults still enabled. */
  private static final int FINAL_STEPS = 20;

  /** Calls in one history during which other steps run; bounds its length. */
  private static final int MAX_INTERLEAVINGS = 24;

  /** The same for changes of what a call concerns, which are short. */
  private static final int MAX_RACES = 80;

  private final StreamedTable table;
  private final Subject subject;
  private final FaultMix mix;

  public Simulation(StreamedTable table, Subject subject, FaultMix mix) {
    this.table = table;
    this.subject = subject;
    this.mix = mix;
  }

  /**
   * Runs the history of a seed and compares the table with the model. A seed can run only once on a
   * table.
   */
  public HistoryResult run(long seed) {
    return new Run(seed).result();
  }

  private final class Run {
    private final long seed;
    private final SplittableRandom random;
    private final FaultProfile profile;
    private final HistoryLog log = new HistoryLog();
    private final SteppingClock clock = new SteppingClock(START);
    private final Faults functionFaults;
    private final Faults apiFaults;
    private final World world;
    private final WorkloadGenerator workload;
    private boolean isStarted;
    private boolean isFinished;
    private int interleavings;
    private int races;

    Run(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.profile = FaultProfile.of(seed, mix, random);
      this.functionFaults = new Faults(random, profile.faults(), table);
      this.apiFaults = new Faults(random, profile.faults(), table);
      this.world =
          new World(
              "s" + seed,
              table,
              subject,
              clock,
              random,
              new Interleaving(
                  log.logging(functionFaults),
                  random,
                  profile::interleavedPerThousand,
                  this::duringFunctionCall),
              new Interleaving(
                  log.logging(apiFaults.over(subject.apiWire())),
                  random,
                  profile.focus()::interleavedApiCallsPerThousand,
                  this::duringApiCall),
              () -> {},
              log,
              random,
              profile.scale(),
              profile.countsOneIn());
      this.workload = new WorkloadGenerator(world.users, random, log, profile);
    }

    HistoryResult result() {
      world.register("ann", "bob", "cid", "dot", "eve");
      if (profile.focus() == HistoryFocus.ERASURES) {
        world.register("fay", "gus");
        world.users.attachFiles();
      }
      workload.followInitially();
      isStarted = true;
      for (int turn = 0; turn < TURNS; turn++) {
        turn();
        if (profile.focus() == HistoryFocus.ABSENCE && turn % (TURNS / 3) == TURNS / 4) {
          passWeeks();
        }
        if (profile.focus() == HistoryFocus.ERASURES && turn % (TURNS / 3) == TURNS / 4) {
          log.add(() -> "the store of media fails");
          world.failMedia(true);
          workload.eraseOne();
        }
        if (profile.focus() == HistoryFocus.ERASURES && turn % (TURNS / 3) == 0) {
          log.add(() -> "sweep, and the store of media works");
          world.failMedia(false);
          world.expireRemovals();
          world.sweep();
        }
      }
      if (profile.focus() == HistoryFocus.ABSENCE) {
        world.users.ids().forEach(world.users::readsHomeFeed);
      }
      for (int step = 0; step < FINAL_STEPS && (world.poll() || world.step()); step++) {
        world.step();
      }
      isFinished = true;
      functionFaults.cease();
      apiFaults.cease();
      world.counts.becomeReliable();
      world.effects.becomeReliable();
      world.settle();
      if (profile.focus() == HistoryFocus.ERASURES) {
        inspect();
        finishRemovals();
      }
      world.model.erased().forEach(this::finishErasure);
      inspect();
      var happened = new TreeMap<>(world.happened);
      functionFaults
          .fired()
          .forEach((kind, times) -> happened.merge("" + kind, times, Integer::sum));
      apiFaults.fired().forEach((kind, times) -> happened.merge("" + kind, times, Integer::sum));
      var result = new HistoryResult(seed, world.violations(), happened, log::lines);
      table.forget();
      return result;
    }

    private void turn() {
      switch (random.nextInt(40)) {
        case 0 -> rollShard();
        case 1 -> pass(Duration.ofSeconds(random.nextInt(100)));
        case 2 -> rewind(world.counts);
        case 3 -> rewind(world.effects);
        case 4 -> redrive();
        case 5, 6, 7, 8, 9, 10 -> world.poll();
        case 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22 -> world.step();
        default -> workload.act();
      }
    }

    /**
     * Runs the remaining sweeps of an erasure. By this time no request is running any more, so they
     * end with one that finds nothing.
     */
    private void finishErasure(String user) {
      log.add(() -> "sweeps for " + user);
      world.model.erase(user);
      world.endErasure(user);
    }

    /** The store works again only after sweeps, which then must not end an erasure. */
    private void finishRemovals() {
      log.add(() -> "sweeps while the store of media fails");
      world.sweepBeforeObjectsAreRemoved();
      world.failMedia(false);
      // No attempt is made for half a minute after the last failure.
      pass(Duration.ofMinutes(1));
      world.expireRemovals();
      world.settle();
    }

    /** Settles first, because no batch is delivered weeks late. */
    private void passWeeks() {
      log.add(() -> "weeks pass");
      world.settle();
      pass(ABSENT);
      inspect();
      log.add(() -> "what has expired is deleted");
      world.expire();
    }

    /** Verifies when everything is delivered, also while readers are away or erasures wait. */
    private void inspect() {
      log.add(() -> "verify");
      world.inspect();
    }

    /** No read is stale for seconds. */
    private void pass(Duration duration) {
      clock.advance(duration);
      table.catchUp();
    }

    private void rollShard() {
      log.add(() -> "new shard");
      world.happened.merge("new shard", 1, Integer::sum);
      table.rollShards();
    }

    private void redrive() {
      if (profile.focus() != HistoryFocus.ABSENCE) {
        world.effects.redrive();
      }
    }

    private void rewind(EventLane lane) {
      if (profile.rewinds()) {
        lane.rewind();
      }
    }

    /**
     * Runs other steps while a call of the function is suspended, and at times all effects of those
     * steps.
     */
    private void duringFunctionCall(DynamoDbRequest suspended) {
      if (isFinished) {
        return;
      }
      // An expression, so that a new focus does not compile until its steps are decided.
      Consumer<DynamoDbRequest> steps =
          switch (profile.focus()) {
            case ANYTHING, ABSENCE, ERASURES, CELEBRITIES -> this::mixed;
            case LATE_WRITES -> _ -> redeliverLate();
            case UNFOLLOW_DURING_DELIVERY -> this::undo;
            case FOLLOW_DURING_REMOVAL -> this::redo;
            case RACES -> this::race;
            case FAILED_CALLS, PARTIAL_RESPONSES, CONCURRENT_REQUESTS -> _ -> {};
          };
      steps.accept(suspended);
    }

    private void redeliverLate() {
      if (world.counts.isBusy()) {
        log.add(() -> "meanwhile");
        log.nested(this::redeliverMoreCounts);
      }
    }

    /** Delivers the suspended batch again, as an event source does after a time-out. */
    private void redeliverCounts() {
      if (world.counts.isBusy()) {
        log.add(() -> "meanwhile");
        log.nested(this::runCounts);
      }
    }

    /** Changes what the suspended call concerns, half the time with all effects of the change. */
    private void race(DynamoDbRequest suspended) {
      if (races == MAX_RACES) {
        return;
      }
      log.add(() -> "meanwhile");
      if (log.nested(() -> workload.changeConcerned(suspended))) {
        races++;
        if (random.nextBoolean()) {
          log.nested(world::catchUp);
        }
      }
    }

    /** Adds records to the stream at times, and delivers the suspended batch again. */
    private boolean redeliverMoreCounts() {
      if (random.nextBoolean()) {
        workload.act();
        workload.act();
        world.poll();
      }
      return runCounts();
    }

    private boolean undo(DynamoDbRequest suspended) {
      log.add(() -> "meanwhile");
      if (log.nested(() -> workload.undoCause(suspended))) {
        log.nested(world::catchUp);
        return true;
      }
      return false;
    }

    private void redo(DynamoDbRequest suspended) {
      log.add(() -> "meanwhile");
      if (log.nested(() -> workload.redoCause(suspended))) {
        log.nested(world::catchUp);
      }
    }

    /**
     * Runs other steps while a call of the API is suspended. Calls of the preparation and of
     * exclusive actions are not suspended.
     */
    private void duringApiCall(DynamoDbRequest suspended) {
      if (!isStarted
          || isFinished
          || interleavings == MAX_INTERLEAVINGS
          || world.users.isExclusive()) {
        return;
      }
      interleavings++;
      log.add(() -> "meanwhile");
      log.nested(() -> changeGraph(suspended));
      log.nested(this::runOthers);
    }

    private Optional<String> changeGraph(DynamoDbRequest suspended) {
      return profile.focus() == HistoryFocus.ERASURES && random.nextBoolean()
          ? workload.eraseOne()
          : Optional.of(workload.changeGraph(suspended));
    }

    private void mixed(DynamoDbRequest suspended) {
      if (HistoryFocus.isCount(suspended)) {
        redeliverCounts();
      }
      if ((random.nextBoolean() && undo(suspended)) || interleavings == MAX_INTERLEAVINGS) {
        return;
      }
      interleavings++;
      log.add(() -> "meanwhile");
      log.nested(this::runOthers);
    }

    private boolean runOthers() {
      for (int left = 1 + random.nextInt(profile.longestInterleaving()); left > 0; left--) {
        if (world.counts.isBusy() && random.nextBoolean()) {
          runCounts();
        } else {
          runOneOther();
        }
      }
      boolean all = random.nextBoolean();
      if (all) {
        world.catchUp();
      }
      return all;
    }

    private void runOneOther() {
      switch (random.nextInt(6)) {
        case 0 -> world.poll();
        case 1, 2 -> world.step();
        default -> workload.act();
      }
    }

    private boolean runCounts() {
      return subject.letsBatchesOvertake()
          ? world.counts.overtake()
          : world.counts.redeliverRunning();
    }
  }
}
