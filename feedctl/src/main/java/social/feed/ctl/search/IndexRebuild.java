package social.feed.ctl.search;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import social.feed.search.EntryKind;
import social.feed.streams.index.IndexUpkeep;
import social.feed.streams.index.IndexUpkeep.Alignment;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.cost.UnitRateLimiter;
import social.feed.table.kernel.store.Table;

/**
 * Makes a search index equal to the table, while both are in use. First writes what is missing or
 * has another content, then removes what no longer belongs there. What agrees is only compared. A
 * run that was cut off is completed by one that goes on at its last position, or by a repetition.
 * Holds one page in memory.
 */
public final class IndexRebuild {
  private final IndexWalk walk;
  private final IndexUpkeep index;
  private final UnitRateLimiter pace;

  /**
   * @param pace limits the entries that are compared in a second
   */
  public IndexRebuild(Table table, IndexUpkeep index, UnitRateLimiter pace) {
    this(table, index, pace, IndexWalk.PART);
  }

  /**
   * @param pace limits the entries that are compared in a second
   * @param part the most items of the table between two positions
   */
  public IndexRebuild(Table table, IndexUpkeep index, UnitRateLimiter pace, int part) {
    this.walk = new IndexWalk(table, index, part);
    this.index = index;
    this.pace = pace;
  }

  /**
   * How far a rebuild is.
   *
   * @param rows rows of the table that were compared
   * @param entries entries of the index that were compared
   * @param work what was corrected
   * @param reached the last position, before which everything is done; absent before the first
   */
  public record Progress(long rows, long entries, Alignment work, Optional<WalkPosition> reached) {
    /** Before the first page. */
    public static final Progress NONE = new Progress(0, 0, Alignment.NONE, Optional.empty());
  }

  /** Counts the work of one run. */
  private final class Run {
    private final Consumer<Progress> progress;
    private Progress now = Progress.NONE;

    Run(Consumer<Progress> progress) {
      this.progress = progress;
    }

    void corrected(EntryKind kind, int rows, int entries, List<String> differing) {
      var work = differing.isEmpty() ? Alignment.NONE : index.align(kind, differing);
      now = new Progress(now.rows + rows, now.entries + entries, now.work.plus(work), now.reached);
      progress.accept(now);
      pace.spend(rows + entries);
      pace.await();
    }

    void reached(WalkPosition position) {
      now = new Progress(now.rows, now.entries, now.work, Optional.of(position));
      progress.accept(now);
    }
  }

  /**
   * Rebuilds the index. One read unit for each 4 KB of the table and for each entry of the index,
   * and one more for each entry that is corrected.
   *
   * @param from a position that an earlier run on this table and this index has reached; empty to
   *     rebuild everything
   * @param progress receives the state after each page
   * @return the state at the end, with all read units
   */
  public Progress run(Optional<WalkPosition> from, Consumer<Progress> progress) {
    var meter = CostMeter.ofPart();
    var run = new Run(progress);
    var done =
        meter.measure(
            () -> {
              walk.all(
                  from,
                  (kind, compared, ids) -> run.corrected(kind, compared, 0, ids),
                  (kind, compared, ids) -> run.corrected(kind, 0, compared, ids),
                  run::reached);
              return run.now;
            });
    var scans = new Alignment(0, 0, meter.consumed().read());
    return new Progress(done.rows(), done.entries(), done.work().plus(scans), done.reached());
  }
}
