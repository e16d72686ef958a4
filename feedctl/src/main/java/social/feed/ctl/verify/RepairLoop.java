package social.feed.ctl.verify;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import social.feed.table.kernel.schema.MalformedItemException;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.user.CelebrityRule;

/**
 * Verifies and repairs until no drift is left or no repair can be tried. Rows that are only a
 * moment behind are left to the stream. A drift is repaired if it remains after the stream was
 * drained. The stream is drained once more before the repair, so that a concurrent change makes the
 * repair fail its condition. The next round checks such a drift again.
 *
 * @see Checks#all the order of the repairs
 */
public final class RepairLoop {
  /** A repair may reveal another drift: a row with a repaired index key is counted again. */
  private static final int ROUNDS = 5;

  private final Inspection inspection;
  private final Repairs repairs;

  /**
   * Repairs a platform with the default half-life of tag rankings.
   *
   * @param rule the celebrity rule of the platform; without it the celebrity flags are not checked
   */
  public RepairLoop(Table table, Optional<CelebrityRule> rule) {
    this(table, rule, TrendingTags.HALF_LIFE);
  }

  /**
   * Repairs a platform.
   *
   * @param rule the celebrity rule of the platform; without it the celebrity flags are not checked
   * @param halfLife the half-life of tag rankings, in whole hours
   */
  public RepairLoop(Table table, Optional<CelebrityRule> rule, Duration halfLife) {
    this.inspection = new Inspection(table, rule, halfLife);
    this.repairs = new Repairs(table);
  }

  /**
   * Runs all checks and repairs, and verifies the whole table afterwards.
   *
   * @param drain returns when the stream has caught up
   * @param progress receives the number of items that each walk has read, after each page
   * @param repairing receives a few words about each check that repairs
   */
  public RepairReport run(Runnable drain, LongConsumer progress, Consumer<String> repairing) {
    var repaired = new LinkedHashMap<String, DriftCount>();
    for (int round = 1; ; round++) {
      drain.run();
      var found = inspection.walk(progress);
      var report = Verification.confirmed(inspection, found, drain);
      if (report.isClean() || round > ROUNDS || !repair(found, drain, repairing, repaired)) {
        return RepairReport.of(report, repaired);
      }
    }
  }

  /** Returns whether a repair was tried. One that failed its condition may succeed next round. */
  private boolean repair(
      Map<Check, DriftCandidates> found,
      Runnable drain,
      Consumer<String> repairing,
      Map<String, DriftCount> repaired) {
    boolean isTried = false;
    for (var each : found.entrySet()) {
      var check = each.getKey();
      var candidates = each.getValue();
      if (!candidates.isEmpty()) {
        repairing.accept("%s, found at %,d rows".formatted(check.name(), candidates.size()));
      }
      var done = repaired.computeIfAbsent(check.name(), _ -> new DriftCount());
      isTried |=
          inspection
              .checkAgain(check, candidates, drain)
              .map(drifts -> apply(drifts, drain, done))
              .reduce(false, Boolean::logicalOr);
    }
    return isTried;
  }

  private boolean apply(List<Drift> drifts, Runnable drain, DriftCount done) {
    var repairable = drifts.stream().filter(drift -> drift.repair() != Repair.NONE).toList();
    if (repairable.isEmpty()) {
      return false;
    }
    drain.run();
    ParallelTasks.run(
        repairable.stream().<Callable<Boolean>>map(drift -> () -> apply(drift, done)).toList());
    return true;
  }

  /** A repair that is throttled or reads an unreadable item changes nothing; its drift remains. */
  private boolean apply(Drift drift, DriftCount done) {
    try {
      return drift.repair().apply(repairs) && done.add(drift);
    } catch (MalformedItemException | ThrottledException e) {
      return false;
    }
  }
}
