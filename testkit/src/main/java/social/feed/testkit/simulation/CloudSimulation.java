package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.fault.FaultKind;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.fault.Faults;
import social.feed.testkit.fault.Replica;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Runs histories with the limits of a cloud. As in a {@link Simulation}, a seed determines users'
 * actions, batches, faults and interleaving, and at the end the table is compared with the model.
 * Here the requests and all invocations run concurrently on a virtual time, next to each other at
 * each call. Partitions throttle, invocations are cut at their deadline, lanes stop for hours and
 * share a small concurrency, and reads return old states.
 */
public final class CloudSimulation {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final int TURNS = 40;
  private static final Duration ABSENT = Duration.ofDays(16);

  /** The limits are so small that the actions of a few users meet them. */
  private static final double[] WRITE_UNITS = {1, 3, 10};

  private static final double[] READ_UNITS = {2, 5, 20};
  private static final int[] SDK_RETRIES = {0, 2, 8};
  private static final int[] LAG_MS = {500, 2_000, 10_000};

  /** Up to 50 times as long as the stream takes for a record. */
  private static final int[] INDEX_LAG_MS = {500, 2_000, 10_000};

  /** So much that each partition takes in the end what one record costs. */
  private static final double BOOST = 32;

  private static final double UNLIMITED = 1e9;
  private static final int BATCH = 12;

  /** The time of an invocation, and of one that has little left. */
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private static final int[] SHORT_MS = {20, 40, 80, 160};
  private static final int HOLDS = 3;

  /** How long a lane stops at most. The stream keeps its records for a day. */
  private static final int HOLD_MINUTES = 300;

  private static final Duration KEPT = Duration.ofHours(20);
  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final Duration SETTLED_WITHIN = Duration.ofHours(12);
  private static final Duration LONGEST = Duration.ofDays(200);
  private static final int MAX_MEANWHILE = 12;

  /** Faults of single calls that the limits of a cloud do not bring. */
  private static final Set<FaultKind> OF_THE_NETWORK =
      EnumSet.of(FaultKind.ERROR_BEFORE, FaultKind.ANSWER_LOST, FaultKind.SENT_TWICE);

  /** Focuses that act on what a handler's call concerns. */
  private static final Set<HistoryFocus> RACING =
      EnumSet.of(
          HistoryFocus.RACES,
          HistoryFocus.UNFOLLOW_DURING_DELIVERY,
          HistoryFocus.FOLLOW_DURING_REMOVAL);

  private final StreamedTable table;
  private final Subject subject;
  private final FaultMix mix;
  private final boolean isLimited;

  public CloudSimulation(StreamedTable table, Subject subject, FaultMix mix) {
    this(table, subject, mix, true);
  }

  private CloudSimulation(StreamedTable table, Subject subject, FaultMix mix, boolean isLimited) {
    this.table = table;
    this.subject = subject;
    this.mix = mix;
    this.isLimited = isLimited;
  }

  /**
   * Returns the simulation of the same histories in a cloud without limits: the same actions, in
   * which no call is refused, no invocation is cut, and no read is old.
   */
  public CloudSimulation withoutLimits() {
    return new CloudSimulation(table, subject, mix, false);
  }

  /**
   * Runs the history of a seed and compares the table with the model. A seed can run only once on a
   * table.
   */
  public HistoryResult run(long seed) {
    table.read();
    table.forget();
    var run = new Run(seed);
    try {
      return run.result();
    } finally {
      table.forget();
    }
  }

  private final class Run implements Cloud.Course {
    private final long seed;
    private final SplittableRandom random;
    private final FaultProfile profile;
    private final VirtualTime time;
    private final HistoryLog log;
    private final Faults functionFaults;
    private final Faults apiFaults;
    private final Cloud cloud;
    private final ModeledWorld world;
    private final WorkloadGenerator workload;
    private final Map<String, Integer> happened = new TreeMap<>();
    private @Nullable DynamoDbRequest last;
    private int holds;
    private int meanwhile;
    private boolean isStarted;
    private boolean isFinished;
    private boolean isOver;

    Run(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.profile = FaultProfile.of(seed, mix, random);
      // Shards have ids by their time, and those of two histories must differ.
      this.time = new VirtualTime(START.plusMillis(Math.floorMod(seed, 1_000_000)));
      this.log = new HistoryLog(() -> time.passed().toMillis() + " ");
      var network = profile.faults().only(OF_THE_NETWORK);
      this.functionFaults = new Faults(random, network, Replica.NONE);
      this.apiFaults = new Faults(random, network, Replica.NONE);
      this.cloud = new Cloud(table, () -> {}, time, random, settings(), subject, this);
      this.world =
          new ModeledWorld(
              (isLimited ? "k" : "u") + seed,
              table,
              cloud.over(api()),
              time.clock(),
              () -> {},
              random,
              profile.scale());
      this.workload = new WorkloadGenerator(world.users, random, log, profile);
      world.users.giveUp(() -> givesUp(network));
    }

    /** Pauses after a refused attempt, and decides whether the client gives up. */
    private boolean givesUp(FaultMix network) {
      time.sleep(Duration.ofMillis(1 + random.nextInt(500)));
      // A request without an answer may have been done.
      boolean isRefused = network.perThousand().values().stream().allMatch(chance -> chance == 0);
      return isStarted && !isFinished && isRefused && chance(3);
    }

    private Cloud.Settings settings() {
      int shards = 1 + random.nextInt(3);
      var limits =
          isLimited
              ? new CloudTable.Limits(
                  WRITE_UNITS[random.nextInt(WRITE_UNITS.length)],
                  READ_UNITS[random.nextInt(READ_UNITS.length)],
                  1,
                  SDK_RETRIES[random.nextInt(SDK_RETRIES.length)],
                  Duration.ofMillis(LAG_MS[random.nextInt(LAG_MS.length)]),
                  Duration.ofMillis(INDEX_LAG_MS[random.nextInt(INDEX_LAG_MS.length)]),
                  BOOST)
              : new CloudTable.Limits(UNLIMITED, UNLIMITED, 1, 8, Duration.ZERO, Duration.ZERO, 1);
      return new Cloud.Settings(
          limits, shards, lane(1, true), lane(profile.scale().tracks(), false), profile.scale());
    }

    private CloudLane.Settings lane(int tracks, boolean isWindowed) {
      return new CloudLane.Settings(
          isLimited ? 1 + random.nextInt(3) : 100,
          tracks,
          isWindowed,
          random.nextBoolean(),
          1 + random.nextInt(BATCH),
          Duration.ofMillis(random.nextInt(3) * 300L),
          DEADLINE);
    }

    private Wire api() {
      return new Interleaving(
          log.logging(apiFaults.over(subject.apiWire()).over(cloud.limits())),
          random,
          profile.focus()::interleavedApiCallsPerThousand,
          this::duringApiCall);
    }

    HistoryResult result() {
      try {
        time.start(Duration.ZERO, this::live);
        if (!time.runUntil(() -> isOver, LONGEST)) {
          world.neverSettles("the history has not ended after " + LONGEST);
        }
        cloud.limits().struck().forEach((limit, times) -> count("" + limit, times));
        functionFaults.fired().forEach((kind, times) -> count("" + kind, times));
        apiFaults.fired().forEach((kind, times) -> count("" + kind, times));
        return new HistoryResult(seed, world.violations(), happened, log::lines);
      } finally {
        cloud.close();
      }
    }

    private void live() {
      world.register("ann", "bob", "cid", "dot", "eve");
      if (profile.focus() == HistoryFocus.ERASURES) {
        world.register("fay", "gus");
      }
      workload.followInitially();
      isStarted = true;
      for (int turn = 0; turn < TURNS; turn++) {
        attempt(this::turn);
        time.sleep(pause());
        if (profile.focus() == HistoryFocus.ABSENCE && turn % (TURNS / 3) == TURNS / 4) {
          log.add(() -> "weeks pass");
          settle();
          time.sleep(ABSENT);
          inspect();
          log.add(() -> "what has expired is deleted");
          world.expire();
        }
        if (profile.focus() == HistoryFocus.ERASURES && turn % (TURNS / 3) == TURNS / 4) {
          attempt(workload::eraseOne);
        }
        if (profile.focus() == HistoryFocus.ERASURES && turn % (TURNS / 3) == 0) {
          attempt(world::sweep);
        }
      }
      if (profile.focus() == HistoryFocus.ABSENCE) {
        world.users.ids().forEach(id -> attempt(() -> world.users.readsHomeFeed(id)));
      }
      isFinished = true;
      functionFaults.cease();
      apiFaults.cease();
      settle();
      if (profile.focus() == HistoryFocus.ERASURES) {
        inspect();
      }
      for (var user : List.copyOf(world.model.erased())) {
        world.model.erase(user);
        world.endErasure(user, this::settle);
      }
      inspect();
      isOver = true;
    }

    /** Verifies when everything is delivered, also while readers are away or erasures wait. */
    private void inspect() {
      log.add(() -> "verify");
      world.inspect(subject);
    }

    private void turn() {
      switch (random.nextInt(30)) {
        case 0 -> rollShards();
        case 1 -> hold(cloud.counts());
        case 2 -> hold(cloud.effects());
        case 3 -> rewind(cloud.counts());
        case 4 -> rewind(cloud.effects());
        case 5 -> redrive();
        case 6 -> time.sleep(Duration.ofSeconds(random.nextInt(1_000)));
        default -> {
          if (!RACING.contains(profile.focus()) || random.nextBoolean() || !race()) {
            workload.act();
          }
        }
      }
    }

    /**
     * Mostly so short that the effects of several actions meet; at least as long as one reading.
     */
    private Duration pause() {
      return Duration.ofMillis(
          switch (random.nextInt(8)) {
            case 0 -> 1 + random.nextInt(4_000);
            case 1, 2 -> 1 + random.nextInt(500);
            default -> 1 + random.nextInt(40);
          });
    }

    /** Runs a request that its client may give up. */
    private void attempt(Runnable action) {
      try {
        action.run();
      } catch (SimulatedUsers.GivenUp e) {
        log.add(() -> "given up");
        happened("given up by its client");
      }
    }

    private void rollShards() {
      log.add(() -> "new shards");
      happened("new shards");
      cloud.rollShards();
    }

    /** Stops a lane for some time, while the users go on. */
    private void hold(CloudLane lane) {
      if (profile.focus() == HistoryFocus.ABSENCE || holds == HOLDS || !isLimited) {
        return;
      }
      holds++;
      var hours = Duration.ofMinutes(30 + random.nextInt(HOLD_MINUTES));
      log.add(() -> "a lane stops for " + hours);
      happened("lane stopped for hours");
      lane.hold();
      time.start(
          hours,
          () -> {
            log.add(() -> "a lane goes on with " + lane.waiting() + " records");
            lane.resume();
          });
    }

    private void rewind(CloudLane lane) {
      if (profile.rewinds()) {
        log.add(() -> "set back");
        lane.rewind(chance(4) ? Integer.MAX_VALUE : 1 + random.nextInt(8), since());
      }
    }

    private Duration since() {
      return time.passed().minus(KEPT);
    }

    private void redrive() {
      if (profile.focus() != HistoryFocus.ABSENCE) {
        cloud.effects().anyHandled(random).ifPresent(cloud.effects()::redrive);
      }
    }

    /** Changes what the last call of a handler concerns, while the handler goes on. */
    private boolean race() {
      var request = last;
      if (request == null) {
        return false;
      }
      log.add(() -> "race");
      boolean races =
          switch (profile.focus()) {
            case UNFOLLOW_DURING_DELIVERY -> workload.undoCause(request);
            case FOLLOW_DURING_REMOVAL -> workload.redoCause(request);
            default -> workload.changeConcerned(request);
          };
      if (races) {
        happened("race");
      }
      return races;
    }

    private void duringApiCall(DynamoDbRequest suspended) {
      if (!isStarted || isFinished || meanwhile == MAX_MEANWHILE || world.users.isExclusive()) {
        return;
      }
      meanwhile++;
      log.add(() -> "meanwhile");
      attempt(
          () -> {
            Optional<String> _ =
                profile.focus() == HistoryFocus.ERASURES && random.nextBoolean()
                    ? workload.eraseOne()
                    : Optional.of(workload.changeGraph(suspended));
          });
    }

    /** Waits until both lanes have handled everything. */
    private void settle() {
      var end = time.passed().plus(SETTLED_WITHIN);
      do {
        time.sleep(LOOK);
      } while (!cloud.isIdle() && time.passed().compareTo(end) < 0);
      if (!cloud.isIdle()) {
        world.neverSettles("still work after " + SETTLED_WITHIN);
      }
    }

    private boolean chance(int oneIn) {
      return random.nextInt(oneIn) == 0;
    }

    private void count(String what, int times) {
      happened.merge(what, times, Integer::sum);
    }

    @Override
    public void happened(String what) {
      count(what, 1);
    }

    @Override
    public Wire function(Wire limits) {
      var calls = log.logging(functionFaults.over(limits));
      return new Wire() {
        @Override
        public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> answer) {
          last = request;
          return calls.send(request, answer);
        }
      };
    }

    @Override
    public void note(DynamodbStreamRecord record) {
      world.note(record);
    }

    @Override
    public void isDeadLetter(DynamodbStreamRecord record) {
      world.sinks().deadLetters().accept(record);
    }

    @Override
    public void hasCrossed(Subject.Crossing crossing) {
      world.sinks().crossings().accept(crossing);
    }

    @Override
    public Duration allowed(Duration deadline) {
      return isLimited && !isFinished && chance(3)
          ? Duration.ofMillis(SHORT_MS[random.nextInt(SHORT_MS.length)])
          : deadline;
    }

    @Override
    public int size(int ready) {
      return random.nextBoolean() ? ready : 1 + random.nextInt(ready);
    }

    @Override
    public boolean losesAnswer() {
      return !isFinished && random.nextInt(100) < 15;
    }
  }
}
