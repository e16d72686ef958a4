package social.feed.testkit.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.fault.Faults;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Runs histories on one table. A seed is a history: who does what, when the stream brings it, what
 * goes wrong and what runs beside what. The same seed is the same history, whatever ran before.
 */
public final class Simulation {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final int TURNS = 80;

  /**
   * Three times: who reads in none of the first two is left out, and feeds hold the posts still.
   */
  private static final Duration ABSENT = Duration.ofDays(16);

  /** Steps of the stream at the end, while all that can go wrong still does. */
  private static final int LAST_STEPS = 20;

  /** Calls in one history during which others do something; bounds its length. */
  private static final int MAX_BESIDE = 24;

  private final StreamedTable table;
  private final Subject subject;
  private final FaultMix mix;

  public Simulation(StreamedTable table, Subject subject, FaultMix mix) {
    this.table = table;
    this.subject = subject;
    this.mix = mix;
  }

  /** Runs the history of a seed to its end, and compares. No seed runs twice on one table. */
  public HistoryResult run(long seed) {
    return new Run(seed).outcome();
  }

  private final class Run {
    private final long seed;
    private final SplittableRandom random;
    private final FaultProfile temper;
    private final HistoryLog story = new HistoryLog();
    private final SteppingClock clock = new SteppingClock(START);
    private final Faults ofFunction;
    private final Faults ofApi;
    private final World world;
    private final WorkloadGenerator whims;
    private boolean isBegun;
    private boolean isOver;
    private int besides;

    Run(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.temper = FaultProfile.of(seed, mix, random);
      this.ofFunction = new Faults(random, temper.faults(), table);
      this.ofApi = new Faults(random, temper.faults(), table);
      this.world =
          new World(
              "s" + seed,
              table,
              subject,
              clock,
              random,
              new Interleaving(
                  story.wire(ofFunction), random, temper::besidePerThousand, this::beside),
              new Interleaving(
                  story.wire(ofApi.over(subject.ofRequests())),
                  random,
                  temper.trouble()::besideRequestPerThousand,
                  this::besideRequest),
              () -> {},
              story,
              random,
              temper.scale(),
              temper.countsOneOf());
      this.whims = new WorkloadGenerator(world.people, random, story, temper);
    }

    HistoryResult outcome() {
      world.register("ann", "bob", "cid", "dot", "eve");
      if (temper.trouble() == HistoryFocus.FAREWELLS) {
        world.register("fay", "gus");
      }
      whims.acquaint();
      isBegun = true;
      for (int turn = 0; turn < TURNS; turn++) {
        turn();
        if (temper.trouble() == HistoryFocus.ABSENCE && turn % (TURNS / 3) == TURNS / 4) {
          weeksPass();
        }
        if (temper.trouble() == HistoryFocus.FAREWELLS && turn % (TURNS / 3) == TURNS / 4) {
          whims.farewell();
        }
      }
      if (temper.trouble() == HistoryFocus.ABSENCE) {
        world.people.ids().forEach(world.people::reads);
      }
      for (int step = 0; step < LAST_STEPS && (world.poll() || world.step()); step++) {
        world.step();
      }
      isOver = true;
      ofFunction.cease();
      ofApi.cease();
      world.counts.becomeReliable();
      world.effects.becomeReliable();
      world.settle();
      world.truth.erased().forEach(this::forgotten);
      var happened = new TreeMap<>(world.happened);
      ofFunction.fired().forEach((kind, times) -> happened.merge("" + kind, times, Integer::sum));
      ofApi.fired().forEach((kind, times) -> happened.merge("" + kind, times, Integer::sum));
      var outcome = new HistoryResult(seed, world.violations(), happened, story::lines);
      table.forget();
      return outcome;
    }

    private void turn() {
      switch (random.nextInt(40)) {
        case 0 -> roll();
        case 1 -> clock.advance(Duration.ofSeconds(random.nextInt(100)));
        case 2 -> setBack(world.counts);
        case 3 -> setBack(world.effects);
        case 4 -> redrive();
        case 5, 6, 7, 8, 9, 10 -> world.poll();
        case 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22 -> world.step();
        default -> whims.act();
      }
    }

    /** A day later no request is under way, and the erasure looks again until it finds nothing. */
    private void forgotten(String user) {
      story.tell(() -> "the alarm of " + user);
      world.truth.erase(user);
      world.endErasure(user);
    }

    /** Nothing is delivered as late as that, so what there is comes first. */
    private void weeksPass() {
      story.tell(() -> "weeks pass");
      world.settle();
      clock.advance(ABSENT);
    }

    private void roll() {
      story.tell(() -> "new shard");
      world.happened.merge("new shard", 1, Integer::sum);
      table.rollShards();
    }

    private void redrive() {
      if (temper.trouble() != HistoryFocus.ABSENCE) {
        world.effects.redrive();
      }
    }

    private void setBack(EventLane lane) {
      if (temper.setsBack()) {
        lane.rewind();
      }
    }

    /** What runs beside a call of the function: some steps, and then maybe all that follows. */
    private void beside(DynamoDbRequest suspended) {
      if (isOver) {
        return;
      }
      switch (temper.trouble()) {
        case ANYTHING, ABSENCE, FAREWELLS -> anything(suspended);
        case LATE_WRITES -> {
          if (world.counts.isBusy()) {
            story.tell(() -> "meanwhile");
            story.within(this::more);
          }
        }
        case UNDOING -> undo(suspended);
        case REDOING -> redo(suspended);
        case REFUSALS, PARTIAL_ANSWERS, MEETINGS -> {}
      }
    }

    /** The batch comes again, as after a time-out. */
    private void again() {
      if (world.counts.isBusy()) {
        story.tell(() -> "meanwhile");
        story.within(this::besideCounts);
      }
    }

    /** There is more by now, and the batch comes again. */
    private boolean more() {
      if (random.nextBoolean()) {
        whims.act();
        whims.act();
        world.poll();
      }
      return besideCounts();
    }

    private boolean undo(DynamoDbRequest suspended) {
      story.tell(() -> "meanwhile");
      if (story.within(() -> whims.undoCauseOf(suspended))) {
        story.within(world::catchUp);
        return true;
      }
      return false;
    }

    private void redo(DynamoDbRequest suspended) {
      story.tell(() -> "meanwhile");
      if (story.within(() -> whims.redoCauseOf(suspended))) {
        story.within(world::catchUp);
      }
    }

    /** What runs beside a request; those of the beginning, and of promises, are alone. */
    private void besideRequest(DynamoDbRequest suspended) {
      if (!isBegun || isOver || besides == MAX_BESIDE || world.people.isAlone()) {
        return;
      }
      besides++;
      story.tell(() -> "meanwhile");
      story.within(() -> meet(suspended));
      story.within(this::besideFor);
    }

    private Optional<String> meet(DynamoDbRequest suspended) {
      return temper.trouble() == HistoryFocus.FAREWELLS && random.nextBoolean()
          ? whims.farewell()
          : Optional.of(whims.meet(suspended));
    }

    private void anything(DynamoDbRequest suspended) {
      if (HistoryFocus.isCount(suspended)) {
        again();
      }
      if ((random.nextBoolean() && undo(suspended)) || besides == MAX_BESIDE) {
        return;
      }
      besides++;
      story.tell(() -> "meanwhile");
      story.within(this::besideFor);
    }

    private boolean besideFor() {
      for (int left = 1 + random.nextInt(temper.longestBeside()); left > 0; left--) {
        if (world.counts.isBusy() && random.nextBoolean()) {
          besideCounts();
        } else {
          besideEffects();
        }
      }
      boolean all = random.nextBoolean();
      if (all) {
        world.catchUp();
      }
      return all;
    }

    private void besideEffects() {
      switch (random.nextInt(6)) {
        case 0 -> world.poll();
        case 1, 2 -> world.step();
        default -> whims.act();
      }
    }

    private boolean besideCounts() {
      return subject.letsBatchesOvertake() ? world.counts.overtake() : world.counts.stepBeside();
    }
  }
}
