package social.feed.ctl.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import social.feed.table.kernel.store.Table;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.user.CelebrityRule;

/**
 * Compares everything that is derived with what it is derived from. It walks the table once, a page
 * in memory at a time, and looks again at what seemed wrong after the stream was drained: a table
 * that is in use is always a moment behind itself.
 */
public final class Verification {
  private final Inspection inspection;

  /**
   * @param rule of the platform; without it nobody is asked whether they are a celebrity
   */
  public Verification(Table table, Optional<CelebrityRule> rule) {
    this(table, rule, TrendingTags.HALF_LIFE);
  }

  /**
   * Of a platform that ranks tags by another half-life than the usual.
   *
   * @param rule of the platform; without it nobody is asked whether they are a celebrity
   * @param halfLife of the platform, in whole hours
   */
  public Verification(Table table, Optional<CelebrityRule> rule, Duration halfLife) {
    this.inspection = new Inspection(table, rule, halfLife);
  }

  /**
   * Runs all checks. An item that nobody can read is drift, and ends nothing.
   *
   * @param drain returns when the stream has caught up
   * @param progress is told how many rows were walked
   */
  public Report run(Runnable drain, LongConsumer progress) {
    drain.run();
    return confirmed(inspection, inspection.walk(progress), drain);
  }

  /** What is drift still after the stream was drained. */
  static Report confirmed(
      Inspection inspection, Map<Check, DriftCandidates> suspects, Runnable drain) {
    if (suspects.values().stream().anyMatch(seen -> !seen.isEmpty())) {
      drain.run();
    }
    var lines = new ArrayList<Report.Line>();
    suspects.forEach(
        (check, seen) -> {
          var drifts = new DriftCount();
          inspection.lookAgain(check, seen, () -> {}, still -> still.forEach(drifts::add));
          lines.add(
              new Report.Line(
                  check.name(),
                  seen.compared(),
                  drifts.count() + seen.beyond(),
                  drifts.examples()));
        });
    return new Report(lines);
  }
}
