package social.feed.ctl;

import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import social.feed.ctl.search.IndexComparison;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.erasure.WaitingErasures;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.Key;
import social.feed.table.user.Users;
import social.feed.verify.MediaObjects;

/**
 * {@code ./feed erasure}: shows the progress of an account's erasure, and the rows that name it.
 */
@Command(
    name = "erasure",
    description = {
      "Shows the progress of an account's erasure.",
      "Exits 0 if it is in progress or finished, 1 if none is recorded, or --prove finds something or"
          + " knows no store of media, 2 if the table cannot be read."
    },
    mixinStandardHelpOptions = true)
final class ErasureCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private TableOptions options = new TableOptions();

  @Parameters(paramLabel = "USER", description = "the id of the account")
  private String userId = "";

  @Option(
      names = "--prove",
      description =
          "scan the whole table and print each row that names the account, and each of its entries in the"
              + " search index of the platform; list the store of media, drain the stream, and print each"
              + " file whose row is gone, since only rows name accounts. Without a store it is no proof")
  private boolean prove;

  @Option(
      names = "--no-media",
      description = "--prove without a store of media: the platform has none")
  private boolean hasNoMedia;

  @Option(
      names = "--arm",
      description =
          "set the timer of the sweep that the erasure waits for, if it is lost. Before the sweep, order the"
              + " next part again, and start the clock of the erasures that wait for units, if it stands still")
  private boolean arm;

  @Mixin private MediaOptions media = new MediaOptions();

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private IndexSettlingOptions settling = new IndexSettlingOptions();

  @Mixin private ReadRateOptions pace = new ReadRateOptions();

  @Override
  public Integer call() {
    if (!pace.isValid()) {
      throw new ParameterException(spec.commandLine(), "--read-units must be more than 0");
    }
    var indexSettling = settling.valid(spec);
    var table = pace.open(options);
    var out = spec.commandLine().getOut();
    var erasures = new Erasures(table, new Users(table));
    var erasure = erasures.of(userId);
    out.println(
        erasure.map(ErasureCommand::text).orElse("No erasure of this account is recorded."));
    erasure
        .filter(waiting -> waiting.step() == ErasureStep.RESTING)
        .ifPresent(_ -> waiting(table, out));
    erasure
        .filter(begun -> begun.step().isUnderWay())
        .ifPresent(
            begun -> {
              ordered(erasures, begun, new WaitingErasures(new TableScanner(table)), out);
              waitingForUnits(new ErasureQueue(table), out);
            });
    boolean isClean =
        !prove
            || isUnreferenced(table, out)
                & isWithoutStrayObjects(table, out)
                & isUnsearchable(table, indexSettling, out);
    out.flush();
    return erasure.isPresent() && isClean ? 0 : 1;
  }

  private static String text(Erasure erasure) {
    return "Requested %s, %s%s, %,d sweeps finished%s."
        .formatted(
            erasure.requestedAt(),
            erasure.erasedAt() == null
                ? "next: " + erasure.step().name().toLowerCase(Locale.ROOT)
                : "erased " + erasure.erasedAt(),
            erasure.granted() == null
                ? ""
                : " with %,d units granted".formatted(erasure.unitsGranted()),
            erasure.passes(),
            erasure.traced() ? ", and the current one has found a row" : "");
  }

  private void waiting(Table table, PrintWriter out) {
    out.println(text(ErasureSweeps.current(table)));
    if (arm && ErasureSweeps.armAgain(table, Instant.now())) {
      out.println("The timer of the sweep was lost. It is set again.");
    } else if (table.get(ErasureTimer.OF_SWEEP).isEmpty()) {
      out.println(
          "The timer of the sweep is missing. If that lasts longer than the effects lane is behind,"
              + " set it again with --arm or ./feed verify --fix.");
    }
  }

  /** A part that is ordered once too often is done once: the first order finds another version. */
  private void ordered(Erasures erasures, Erasure begun, WaitingErasures waiting, PrintWriter out) {
    var now = Timestamps.now(Clock.systemUTC());
    if (arm && erasures.orderAgain(begun, now)) {
      out.println("The next part of the erasure is ordered again.");
    } else if (!waiting.stalled(List.of(begun), now).isEmpty()) {
      out.printf(
          "The erasure has not gone on since %s, and does not wait for units. If that lasts longer than"
              + " the effects lane is behind, order the next part again with --arm or"
              + " ./feed verify --fix.%n",
          begun.lastOrder());
    }
  }

  private void waitingForUnits(ErasureQueue queue, PrintWriter out) {
    if (!queue.standsStill(Instant.now())) {
      return;
    }
    if (arm && queue.wake(Instant.now())) {
      out.println("The clock of the erasures stood still. It is started.");
    } else {
      out.println(
          "The clock of the erasures that wait for units stands still. If that lasts longer than the"
              + " effects lane is behind, start it with --arm or ./feed verify --fix.");
    }
  }

  private static String text(ErasureSweep sweep) {
    return sweep.number() == 0
        ? "It waits for the first sweep of the table."
        : "It waits for a sweep of the table. Sweep %,d began %s and %s."
            .formatted(
                sweep.number(),
                sweep.startedAt(),
                sweep.isUnderWay() ? "is in progress" : "has ended");
  }

  private boolean isUnreferenced(Table table, PrintWriter out) {
    var references = new AccountReferences(table, 1, Long.MAX_VALUE);
    var named =
        new TableScanner(table)
            .items()
            .flatMap(List::stream)
            .filter(item -> references.named(item).contains(userId));
    long found = named.map(TableScanner.Item::key).map(Key::toString).peek(out::println).count();
    out.printf("%,d rows name the account.%n", found);
    return found == 0;
  }

  /** The progress of the function on AWS is unknown. */
  private void drain() {
    if (!options.isOfAws()) {
      options.stream().drain(new ConsoleProgress());
    }
  }

  /** No row names the account any more, so an object of it is one without a row. */
  private boolean isWithoutStrayObjects(Table table, PrintWriter out) {
    if (hasNoMedia) {
      out.println("The store of media was not listed: --no-media says that there is none.");
      return true;
    }
    var store = media.storeOfPlatform(options);
    if (store.isEmpty()) {
      out.println(
          "Not proven: the store of media is not known. Name its folder or bucket with --media, or say"
              + " --no-media if the platform has none.");
      return false;
    }
    var stray = new MediaObjects(table, store.get()).stray(this::drain);
    stray.stream().sorted().forEach(out::println);
    out.printf("%,d files in the store have no row.%n", stray.size());
    return stray.isEmpty();
  }

  private boolean isUnsearchable(Table table, Duration indexSettling, PrintWriter out) {
    var upkeep = index.of(options, table);
    if (upkeep.isEmpty()) {
      out.println("No search index was asked.");
      return true;
    }
    var naming =
        new IndexComparison(table, upkeep.get(), indexSettling).naming(userId, this::drain);
    naming.forEach(out::println);
    out.printf("%,d entries of the search index are of the account.%n", naming.size());
    return naming.isEmpty();
  }
}
