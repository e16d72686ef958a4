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
 * Verifies and puts right what is wrong, until nothing is or nothing more can be done. What is only
 * a moment behind is left to the stream: a drift is repaired when it is there still after the
 * stream was drained, and after that look the stream is drained once more, so that what was under
 * way meanwhile refuses the repair. Such a drift is looked at anew in the next round.
 *
 * @see Checks the order of the repairs
 */
public final class RepairLoop {
  /** A repair may uncover another drift: a key that is right again is counted again. */
  private static final int ROUNDS = 5;

  private final Inspection inspection;

  /**
   * @param rule of the platform; without it nobody is asked whether they are a celebrity
   */
  public RepairLoop(Table table, Optional<CelebrityRule> rule) {
    this(table, rule, TrendingTags.HALF_LIFE);
  }

  /**
   * Of a platform that ranks tags by another half-life than the usual.
   *
   * @param rule of the platform; without it nobody is asked whether they are a celebrity
   * @param halfLife of the platform, in whole hours
   */
  public RepairLoop(Table table, Optional<CelebrityRule> rule, Duration halfLife) {
    this.inspection = new Inspection(table, rule, halfLife);
  }

  /**
   * Runs all checks and repairs, and looks again at the whole table afterwards.
   *
   * @param drain returns when the stream has caught up
   * @param progress is told how many rows were walked
   * @param repairing is told what is being repaired, in a few words
   */
  public RepairReport run(Runnable drain, LongConsumer progress, Consumer<String> repairing) {
    var repaired = new LinkedHashMap<String, DriftCount>();
    for (int round = 1; ; round++) {
      drain.run();
      var suspects = inspection.walk(progress);
      var report = Verification.confirmed(inspection, suspects, drain);
      if (report.isClean() || round > ROUNDS || !repair(suspects, drain, repairing, repaired)) {
        return RepairReport.of(report, repaired);
      }
    }
  }

  /** Whether there was anything to try; what was refused now may be granted in the next round. */
  private boolean repair(
      Map<Check, DriftCandidates> suspects,
      Runnable drain,
      Consumer<String> repairing,
      Map<String, DriftCount> repaired) {
    var tried = new boolean[1];
    suspects.forEach(
        (check, seen) -> {
          if (!seen.isEmpty()) {
            repairing.accept("%s, seen at %,d rows".formatted(check.name(), seen.size()));
          }
          var done = repaired.computeIfAbsent(check.name(), _ -> new DriftCount());
          inspection.lookAgain(
              check, seen, drain, drifts -> tried[0] |= apply(drifts, drain, done));
        });
    return tried[0];
  }

  private static boolean apply(List<Drift> drifts, Runnable drain, DriftCount done) {
    var repairable = drifts.stream().filter(drift -> drift.repair() != Repair.NONE).toList();
    if (repairable.isEmpty()) {
      return false;
    }
    drain.run();
    ParallelTasks.run(
        repairable.stream().<Callable<Boolean>>map(drift -> () -> apply(drift, done)).toList());
    return true;
  }

  /** What cannot be repaired now, or meets what cannot be read, is left and named as such. */
  private static boolean apply(Drift drift, DriftCount done) {
    try {
      return drift.repair().apply() && done.add(drift);
    } catch (MalformedItemException | ThrottledException e) {
      return false;
    }
  }
}
