package social.feed.ctl;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.search.IndexRebuild;
import social.feed.ctl.search.IndexRebuild.Progress;
import social.feed.ctl.search.WalkPosition;
import social.feed.table.kernel.cost.UnitRateLimiter;

/** {@code ./feed reindex}: makes the search index equal to the table. */
@Command(
    name = "reindex",
    description = {
      "Makes the search index equal to the table: writes what is missing or has another content, and"
          + " removes what no longer belongs there. Can run while the platform is in use. What agrees"
          + " is only compared. A run that was stopped can be repeated, or go on at a position that it"
          + " printed. In an index on a server it also forgets old deletions.",
      "Exits 0 when it has compared everything, 2 if the table or the platform does not answer, or"
          + " there is no index."
    },
    mixinStandardHelpOptions = true)
final class ReindexCommand implements Callable<Integer> {
  private static final double NANOS = 1e9;

  /** Rows and entries between two positions that are printed: ten seconds by default. */
  private static final long BETWEEN_POSITIONS = 50_000;

  @Spec private CommandSpec spec;

  @Mixin private TableOptions options = new TableOptions();

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private ReadRateOptions pace = new ReadRateOptions();

  @Option(
      names = "--per-second",
      defaultValue = "5000",
      description =
          "the most rows and entries to compare in a second, so that the platform has time for others"
              + " (default: ${DEFAULT-VALUE})")
  private double perSecond = 5_000;

  @Option(
      names = "--from",
      paramLabel = "POSITION",
      description =
          "goes on at a position that an earlier run on the same table and index has printed. What lies"
              + " before it is not compared again")
  private @Nullable String from;

  @Override
  public Integer call() {
    if (!pace.isValid() || !(perSecond > 0)) {
      throw new ParameterException(
          spec.commandLine(), "--read-units and --per-second must be more than 0");
    }
    var start = position();
    var started = System.nanoTime();
    var table = pace.open(options);
    var upkeep = index.required(options, table);
    var shown = new Shown(spec.commandLine().getErr());
    Progress done;
    try {
      done = new IndexRebuild(table, upkeep, new UnitRateLimiter(perSecond)).run(start, shown);
    } catch (RuntimeException e) {
      shown.stopped();
      throw e;
    }
    index.forgetDeletions();
    System.err.println();
    var out = spec.commandLine().getOut();
    out.printf(
        "%s, %,.1f read units, in %.1f s.%n",
        text(done), done.work().readUnits(), (System.nanoTime() - started) / NANOS);
    out.flush();
    return 0;
  }

  private Optional<WalkPosition> position() {
    try {
      return Optional.ofNullable(from).map(WalkPosition::parse);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--from: " + e.getMessage(), e);
    }
  }

  /**
   * Shows the progress in one line of the terminal, and from time to time the position in a line of
   * its own, which stays when the process is killed.
   */
  private static final class Shown implements Consumer<Progress> {
    private final PrintWriter err;
    private Progress latest = Progress.NONE;
    private long nextPosition;

    Shown(PrintWriter err) {
      this.err = err;
    }

    @Override
    public void accept(Progress progress) {
      System.err.printf("\r%s ", text(progress));
      var isReached = !progress.reached().equals(latest.reached());
      latest = progress;
      long compared = progress.rows() + progress.entries();
      if (isReached && compared >= nextPosition) {
        nextPosition = compared + BETWEEN_POSITIONS;
        printPosition("If the run is cut off, go on with");
      }
    }

    /** Prints where to go on after a failure. */
    void stopped() {
      printPosition("The run has stopped. Go on with");
    }

    private void printPosition(String words) {
      latest
          .reached()
          .ifPresent(
              position -> {
                err.printf("%n%s --from %s%n", words, position.text());
                err.flush();
              });
    }
  }

  private static String text(Progress progress) {
    return "%,d rows and %,d entries compared, %,d written, %,d removed"
        .formatted(
            progress.rows(),
            progress.entries(),
            progress.work().written(),
            progress.work().removed());
  }
}
