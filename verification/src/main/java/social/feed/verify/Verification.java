package social.feed.verify;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Gatherers;
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

  /**
   * Returns what a run that has failed, or goes on in another thread, has found. Rows that it did
   * not check again are drift.
   */
  public Report soFar() {
    return inspection.soFar();
  }

  /**
   * Returns the drift that remains after the stream was drained. The candidates are those rows
   * then. What differs only because its rows change all the time is looked at once more, after the
   * stream was drained once more.
   */
  static Report confirmed(
      Inspection inspection, Map<Check, DriftCandidates> found, Runnable drain) {
    if (found.values().stream().anyMatch(candidates -> !candidates.isEmpty())) {
      drain.run();
    }
    var remaining = new LinkedHashMap<Check, Remaining>();
    found.forEach(
        (check, candidates) -> {
          var again = new Remaining();
          inspection.checkAgain(check, candidates).forEach(again::add);
          candidates.keep(again.rows());
          remaining.put(check, again);
        });
    if (remaining.values().stream().anyMatch(again -> !again.mayBeOver.isEmpty())) {
      drain.run();
    }
    var lines = new ArrayList<Report.Line>();
    remaining.forEach(
        (check, again) -> {
          again.mayBeOver.stream()
              .gather(Gatherers.windowFixed(Inspection.TOGETHER))
              .flatMap(some -> inspection.notOver(check, some).stream())
              .forEach(again::count);
          var candidates = requireNonNull(found.get(check));
          candidates.keep(again.counted);
          lines.add(
              new Report.Line(
                  check.name(),
                  candidates.compared(),
                  again.drifts.count() + candidates.beyond(),
                  again.drifts.examples()));
        });
    return new Report(lines);
  }

  /** What remains of a check's drift after a second look. */
  private static final class Remaining {
    /** The most that are looked at once more; further ones are drift. */
    private static final int MOST = 10_000;

    final DriftCount drifts = new DriftCount();
    final Set<Key> counted = new HashSet<>();
    final List<Drift> mayBeOver = new ArrayList<>();

    void add(Drift drift) {
      if (drift.mayBeOver() && mayBeOver.size() < MOST) {
        mayBeOver.add(drift);
      } else {
        count(drift);
      }
    }

    void count(Drift drift) {
      drifts.add(drift);
      counted.add(drift.row());
    }

    Set<Key> rows() {
      var rows = new HashSet<>(counted);
      mayBeOver.forEach(drift -> rows.add(drift.row()));
      return rows;
    }
  }
}
