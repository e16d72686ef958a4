package social.feed.ctl.verify;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import social.feed.table.schema.MalformedItemException;
import social.feed.table.store.Table;
import social.feed.table.store.ThrottledException;

/**
 * Verifies and puts right what is wrong, until nothing is or nothing more can be done. What is only
 * a moment behind is left to the stream: a drift is repaired when it is there still after the
 * stream was drained, and after that look the stream is drained once more, so that what was under
 * way meanwhile refuses the repair. Such a drift is looked at anew in the next round.
 *
 * @see Checks the order of the repairs
 */
public final class Restoration {
  /** A repair may uncover another drift: a key that is right again is counted again. */
  private static final int ROUNDS = 5;

  private final Inspection inspection;

  public Restoration(Table table) {
    this.inspection = new Inspection(table);
  }

  /**
   * Runs all checks and repairs, and looks again at the whole table afterwards.
   *
   * @param drain returns when the stream has caught up
   * @param progress is told how many rows were walked
   */
  public RepairReport run(Runnable drain, LongConsumer progress) {
    var repaired = new LinkedHashMap<String, Tally>();
    for (int round = 1; ; round++) {
      drain.run();
      var suspects = inspection.walk(progress);
      var report = Verification.confirmed(inspection, suspects, drain);
      if (report.isClean() || round > ROUNDS || !repair(suspects, drain, repaired)) {
        return RepairReport.of(report, repaired);
      }
    }
  }

  /** Whether anything was changed. */
  private boolean repair(
      Map<Check, Suspects> suspects, Runnable drain, Map<String, Tally> repaired) {
    long before = count(repaired);
    suspects.forEach(
        (check, seen) -> {
          var done = repaired.computeIfAbsent(check.name(), _ -> new Tally());
          inspection.lookAgain(check, seen, drain, drifts -> apply(drifts, drain, done));
        });
    return count(repaired) > before;
  }

  private static void apply(List<Drift> drifts, Runnable drain, Tally done) {
    if (drifts.isEmpty()) {
      return;
    }
    drain.run();
    var applied =
        Crew.run(
            drifts.stream().<Callable<Boolean>>map(drift -> () -> apply(drift.repair())).toList());
    for (int i = 0; i < drifts.size(); i++) {
      if (applied.get(i)) {
        done.add(drifts.get(i));
      }
    }
  }

  /** What cannot be repaired now, or meets what cannot be read, is left and named as such. */
  private static boolean apply(Repair repair) {
    try {
      return repair.apply();
    } catch (MalformedItemException | ThrottledException e) {
      return false;
    }
  }

  private static long count(Map<String, Tally> repaired) {
    return repaired.values().stream().mapToLong(Tally::count).sum();
  }
}
