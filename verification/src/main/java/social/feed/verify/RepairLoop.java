package social.feed.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import social.feed.table.counter.Fences.Place;
import social.feed.table.kernel.schema.MalformedItemException;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.user.CelebrityRule;
import social.feed.verify.Drift.Proof;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Verifies and repairs until no drift is left or no repair can be tried. Rows that are only a
 * moment behind are left to the stream. A drift is repaired if it remains after the stream was
 * drained. Its row is read again, and the stream is drained once more before the repair, so that a
 * concurrent change makes the repair fail its condition. That wait is shared by thousands of
 * drifts, since it takes minutes on AWS. A count is repaired only where the multiplexer has passed
 * a fence that was raised after the count. Where the fence alone is proof, a repair that failed its
 * condition is tried again at once, so a count that changes every few seconds is repaired too. A
 * long count is tried less often. Other drifts that remain are checked again in the next round.
 *
 * @see Checks#all the order of the repairs
 */
public final class RepairLoop {
  /** A repair may reveal another drift: a row with a repaired index key is counted again. */
  private static final int ROUNDS = 5;

  /** The drifts that share a wait for the stream. */
  private static final int BEFORE_A_WAIT = 10_000;

  /** How often a repair is tried in a round that only needs fences. */
  private static final int ATTEMPTS = 10;

  /**
   * The most rows that these attempts count together, after the first one. A row of a like takes
   * some 200 bytes, so these are some 5,000 read units. Unread notifications are counted among all
   * those of an account, which are read too.
   */
  private static final long COUNTED_AGAIN = 100_000;

  private final Inspection inspection;
  private final Repairs repairs;
  private final Lanes lanes;
  private final long countedAgain;
  private final Map<String, DriftCount> repaired = new ConcurrentHashMap<>();
  private final Map<String, DriftCount> unsettled = new ConcurrentHashMap<>();

  /** Says how far the lanes of the multiplexer are. */
  @FunctionalInterface
  public interface Lanes {
    /**
     * Returns the places among some where a lane has applied all that was written before.
     *
     * @param hasWaited whether the run has waited for the stream since it read what it repairs
     */
    Set<Place> passed(Set<Place> places, boolean hasWaited);
  }

  /** What became of a repair. */
  private enum Result {
    REPAIRED,
    /** A row has changed since it was read. */
    CHANGED,
    THROTTLED,
    /** Its row will refuse it again. */
    REFUSED
  }

  private record Tried(Drift drift, Result result) {
    boolean isChangedBehindFences() {
      return result == Result.CHANGED && drift.proof() == Proof.FENCES;
    }
  }

  /**
   * What becomes of the repairs of a check.
   *
   * @param repaired receives each drift that was repaired
   * @param refused receives why a row refuses its repair
   * @param unsettled counts those whose places the lanes have not passed
   */
  private record Outcomes(
      Consumer<Drift> repaired, Consumer<String> refused, DriftCount unsettled) {}

  /**
   * @param clock decides which rows have expired, what is late, and when repairs are written
   * @param rule the celebrity rule of the platform; without it the celebrity flags are not checked
   * @param halfLife the half-life of tag rankings, in whole hours
   * @param lanes waits for the lanes, as {@link LaneWait}
   */
  public RepairLoop(
      Table table, Clock clock, Optional<CelebrityRule> rule, Duration halfLife, Lanes lanes) {
    this(table, clock, rule, halfLife, lanes, COUNTED_AGAIN);
  }

  RepairLoop(
      Table table,
      Clock clock,
      Optional<CelebrityRule> rule,
      Duration halfLife,
      Lanes lanes,
      long countedAgain) {
    this.inspection = new Inspection(table, clock, rule, halfLife);
    this.repairs = new Repairs(table, clock);
    this.lanes = lanes;
    this.countedAgain = countedAgain;
  }

  /**
   * Runs all checks and repairs, and verifies the whole table afterwards.
   *
   * @param drain returns when the stream has caught up
   * @param progress receives the number of items that each walk has read, after each page
   * @param repairing receives a few words about each check that repairs, and about the first of its
   *     repairs that is refused for the content of its row
   */
  public RepairReport run(Runnable drain, LongConsumer progress, Consumer<String> repairing) {
    repaired.clear();
    for (int round = 1; ; round++) {
      drain.run();
      var found = inspection.walk(progress);
      var report = Verification.confirmed(inspection, found, drain);
      if (report.isClean() || round > ROUNDS) {
        return report(report);
      }
      unsettled.clear();
      if (!repair(found, drain, repairing)) {
        return report(report);
      }
    }
  }

  /**
   * Returns what a run that has failed, or goes on in another thread, has repaired and found. Rows
   * that it did not check again are drift.
   */
  public RepairReport soFar() {
    return report(inspection.soFar());
  }

  private RepairReport report(Report after) {
    return RepairReport.of(after, repaired, unsettled);
  }

  /**
   * Returns whether a repair was tried that may succeed next round, such as one that failed its
   * condition. One that is refused for the content of its row does not.
   */
  private boolean repair(
      Map<Check, DriftCandidates> found, Runnable drain, Consumer<String> repairing) {
    boolean isTried = false;
    for (var each : found.entrySet()) {
      var check = each.getKey();
      var candidates = each.getValue();
      if (!candidates.isEmpty()) {
        repairing.accept("%s, found at %,d rows".formatted(check.name(), candidates.size()));
      }
      var done = repaired.computeIfAbsent(check.name(), _ -> new DriftCount());
      var left = unsettled.computeIfAbsent(check.name(), _ -> new DriftCount());
      var outcomes =
          new Outcomes(drift -> repaired(drift, candidates, done), first(repairing), left);
      isTried |=
          inspection
              .checkAgain(check, candidates)
              .filter(drift -> drift.repair() != Repair.NONE)
              .gather(Gatherers.windowFixed(BEFORE_A_WAIT))
              .map(drifts -> apply(check, drifts, drain, outcomes))
              .reduce(false, Boolean::logicalOr);
    }
    return isTried;
  }

  /** Returns a receiver of which only the first sentence is passed on. */
  private static Consumer<String> first(Consumer<String> to) {
    var isSaid = new AtomicBoolean();
    return sentence -> {
      if (isSaid.compareAndSet(false, true)) {
        to.accept(sentence);
      }
    };
  }

  private static void repaired(Drift drift, DriftCandidates candidates, DriftCount done) {
    candidates.repaired(drift.row());
    done.add(drift);
  }

  private boolean apply(Check check, List<Drift> drifts, Runnable drain, Outcomes outcomes) {
    if (!drifts.stream().allMatch(Drift::isOfRow)) {
      drain.run();
    }
    return drifts.stream()
        .gather(Gatherers.windowFixed(Inspection.TOGETHER))
        .map(some -> apply(check, some, outcomes))
        .reduce(false, Boolean::logicalOr);
  }

  /** Returns whether the next round may bring more. */
  private boolean apply(Check check, List<Drift> drifts, Outcomes outcomes) {
    var first = tried(drifts, true, outcomes);
    var last = first;
    for (int attempts = 1; attempts < ATTEMPTS; attempts++) {
      int tried = attempts;
      var changed =
          last.stream()
              .filter(Tried::isChangedBehindFences)
              .filter(each -> tried * each.drift.counted() <= countedAgain)
              .map(each -> each.drift.row())
              .toList();
      if (changed.isEmpty()) {
        break;
      }
      var again =
          inspection.checkAgain(check, changed).stream()
              .filter(drift -> drift.proof() == Proof.FENCES)
              .toList();
      last = tried(again, false, outcomes);
    }
    return first.stream().anyMatch(each -> each.result != Result.REFUSED);
  }

  /** Applies the repairs whose places the lanes have passed. */
  private List<Tried> tried(List<Drift> drifts, boolean hasWaited, Outcomes outcomes) {
    var settled =
        settled(
            settled(drifts, Drift::places, hasWaited, outcomes), Drift::then, hasWaited, outcomes);
    return ParallelTasks.run(
        settled.stream()
            .<Callable<Tried>>map(drift -> () -> new Tried(drift, apply(drift, outcomes)))
            .toList());
  }

  /** Returns the drifts whose places the lanes have passed, and counts the others as unsettled. */
  private List<Drift> settled(
      List<Drift> drifts,
      Function<Drift, Set<Place>> places,
      boolean hasWaited,
      Outcomes outcomes) {
    var all =
        drifts.stream().flatMap(drift -> places.apply(drift).stream()).collect(Collectors.toSet());
    var passed = lanes.passed(all, hasWaited);
    var settled = new ArrayList<Drift>();
    for (var drift : drifts) {
      if (passed.containsAll(places.apply(drift))) {
        settled.add(drift);
      } else {
        outcomes.unsettled().add(drift);
      }
    }
    return settled;
  }

  /**
   * A repair that is throttled, reads an unreadable item or meets a row that can take no more
   * changes nothing. Its drift remains, and others are repaired.
   */
  private Result apply(Drift drift, Outcomes outcomes) {
    try {
      if (drift.repair().apply(repairs)) {
        outcomes.repaired().accept(drift);
        return Result.REPAIRED;
      }
      return Result.CHANGED;
    } catch (ThrottledException e) {
      return Result.THROTTLED;
    } catch (MalformedItemException
        | IllegalStateException
        | IllegalArgumentException
        | ArithmeticException e) {
      return refused(drift, e, outcomes);
    } catch (AwsServiceException e) {
      if (e.isThrottlingException()) {
        return Result.THROTTLED;
      }
      if (isOfTheRow(e)) {
        return refused(drift, e, outcomes);
      }
      throw e;
    }
  }

  private static Result refused(Drift drift, RuntimeException why, Outcomes outcomes) {
    outcomes.refused().accept("%s was refused: %s".formatted(drift.row(), why.getMessage()));
    return Result.REFUSED;
  }

  /** Returns whether the table refuses a write for its content, as one of an item of 400 KB. */
  private static boolean isOfTheRow(AwsServiceException failure) {
    return failure.awsErrorDetails() != null
        && "ValidationException".equals(failure.awsErrorDetails().errorCode());
  }
}
