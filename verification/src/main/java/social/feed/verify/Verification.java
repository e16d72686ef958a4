package social.feed.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import social.feed.table.kernel.store.Table;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Key;
import social.feed.table.user.CelebrityRule;

/**
 * Compares all derived data with their source. Walks the table once, one page in memory at a time.
 * After the stream was drained, it checks the found rows again, because a table in use is always a
 * moment behind.
 */
public final class Verification {
  private final Inspection inspection;

  /**
   * Verifies a platform with the default half-life of tag rankings.
   *
   * @param rule the celebrity rule of the platform; without it the celebrity flags are not checked
   */
  public Verification(Table table, Optional<CelebrityRule> rule) {
    this(table, Clock.systemUTC(), rule, TrendingTags.HALF_LIFE);
  }

  /**
   * Verifies a platform.
   *
   * @param clock decides which rows have expired, and what is late
   * @param rule the celebrity rule of the platform; without it the celebrity flags are not checked
   * @param halfLife the half-life of tag rankings, in whole hours
   */
  public Verification(Table table, Clock clock, Optional<CelebrityRule> rule, Duration halfLife) {
    this.inspection = new Inspection(table, clock, rule, halfLife);
  }

  /**
   * Runs all checks. An unreadable item is drift, and does not stop the walk.
   *
   * @param drain returns when the stream has caught up
   * @param progress receives the number of items that the walk has read, after each page
   */
  public Report run(Runnable drain, LongConsumer progress) {
    drain.run();
    return confirmed(inspection, inspection.walk(progress), drain);
  }

  /** Returns what a run that has failed had found. Rows that it did not check again are drift. */
  public Report soFar() {
    return inspection.soFar();
  }

  /**
   * Returns the drift that remains after the stream was drained. The candidates are those rows
   * then.
   */
  static Report confirmed(
      Inspection inspection, Map<Check, DriftCandidates> found, Runnable drain) {
    if (found.values().stream().anyMatch(candidates -> !candidates.isEmpty())) {
      drain.run();
    }
    var lines = new ArrayList<Report.Line>();
    found.forEach(
        (check, candidates) -> {
          var drifts = new DriftCount();
          var rows = new HashSet<Key>();
          inspection
              .checkAgain(check, candidates)
              .forEach(
                  drift -> {
                    drifts.add(drift);
                    rows.add(drift.row());
                  });
          candidates.keep(rows);
          lines.add(
              new Report.Line(
                  check.name(),
                  candidates.compared(),
                  drifts.count() + candidates.beyond(),
                  drifts.examples()));
        });
    return new Report(lines);
  }
}
