package social.feed.ctl;

import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.search.IndexRebuild;
import social.feed.ctl.search.IndexRebuild.Progress;
import social.feed.table.kernel.cost.UnitRateLimiter;

/** {@code ./feed reindex}: makes the search index equal to the table. */
@Command(
    name = "reindex",
    description = {
      "Makes the search index equal to the table: writes what is missing or has another content, and"
          + " removes what no longer belongs there. Can run while the platform is in use. What agrees"
          + " is only compared, so a run that was stopped can be repeated. In an index on a server it"
          + " also forgets old deletions.",
      "Exits 0 when it has compared everything, 2 if the table or the platform does not answer, or"
          + " there is no index."
    },
    mixinStandardHelpOptions = true)
final class ReindexCommand implements Callable<Integer> {
  private static final double NANOS = 1e9;

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

  @Override
  public Integer call() {
    if (!pace.isValid() || !(perSecond > 0)) {
      throw new ParameterException(
          spec.commandLine(), "--read-units and --per-second must be more than 0");
    }
    var started = System.nanoTime();
    var table = pace.open(options);
    var upkeep = index.required(options, table);
    var done = new IndexRebuild(table, upkeep, new UnitRateLimiter(perSecond)).run(shown());
    index.forgetDeletions();
    System.err.println();
    var out = spec.commandLine().getOut();
    out.printf(
        "%s, %,.1f read units, in %.1f s.%n",
        text(done), done.work().readUnits(), (System.nanoTime() - started) / NANOS);
    out.flush();
    return 0;
  }

  private static Consumer<Progress> shown() {
    return progress -> System.err.printf("\r%s ", text(progress));
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
