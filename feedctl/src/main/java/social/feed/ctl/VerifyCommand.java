package social.feed.ctl;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.search.IndexComparison;
import social.feed.ctl.search.PatientIndex;
import social.feed.search.EntryKind;
import social.feed.streams.index.IndexUpkeep;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaStore;
import social.feed.table.user.CelebrityRule;
import social.feed.verify.LaneWait;
import social.feed.verify.MediaObjects;
import social.feed.verify.RepairLoop;
import social.feed.verify.Report;
import social.feed.verify.Verification;

/** {@code ./feed verify}: compares all derived data with their source. */
@Command(
    name = "verify",
    description = {
      "Recounts every counter, and compares every feed, tag row, index key and handle with its source."
          + " Compares the files and the search index of the platform, if it has them, with the table."
          + " An unreadable row is drift.",
      "Exits 0 if there is no drift, 1 on any drift (with --fix: on any that is left), 2 if the"
          + " table or the platform does not answer, 3 if --fix left nothing but counts alone, because"
          + " the multiplexer was behind."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private static final double NANOS = 1e9;

  /** The least time in seconds that a healthy lane has to pass a fence. */
  private static final long MIN_PATIENCE = 10;

  private static final int NOT_SETTLED = 3;

  private static final String UNSETTLED =
      "%,d not settled, not repaired: the multiplexer did not pass the rows of these counts within"
          + " %,d s, or they lie in several shards of the stream. Wait until its lanes have caught"
          + " up (alarm CountsBehind), and run the command again, or allow more time with"
          + " --settle-seconds. Counts in several shards need %,d s without a change.%n";

  private static final long MIN_THRESHOLD = 1;

  /** The longest time in seconds from a write to its record. */
  private static final long MAX_SETTLE = Retention.LATEST_DELIVERY.toSeconds();

  @Spec private CommandSpec spec;

  @Mixin private TableOptions options = new TableOptions();

  @Mixin private TrendOptions trend = new TrendOptions();

  @Option(
      names = "--fix",
      description = {
        "Repairs the drift that remains after the stream was drained, and verifies again: counters,"
            + " follow quotas, index keys, tag rows, feed entries, handle claims. Removes the rows that"
            + " deleted posts left behind, the edges of accounts that do not exist, and"
            + " the bytes of files that do not exist. Corrects the search index.",
        "Only reports unreadable rows, two accounts with one handle, and content of accounts that do"
            + " not exist. Can run while the platform is in use."
      })
  private boolean fix;

  @Mixin private MediaOptions media = new MediaOptions();

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private IndexSettlingOptions settling = new IndexSettlingOptions();

  @Mixin private ReadRateOptions pace = new ReadRateOptions();

  @Option(
      names = "--settle-seconds",
      defaultValue = "300",
      description =
          "with --region: how long to wait for the stream before rows are checked again; and the"
              + " longest wait of --fix for the multiplexer, at least 10 (default: ${DEFAULT-VALUE})")
  private long settleSeconds = 300;

  @Option(
      names = "--celebrity-threshold",
      description =
          "the threshold that the platform was started with; without it, celebrity flags are not"
              + " compared with follower counts")
  private @Nullable Long celebrityThreshold;

  @Override
  public Integer call() {
    if (!pace.isValid() || settleSeconds < 0 || settleSeconds > MAX_SETTLE) {
      throw new ParameterException(
          spec.commandLine(),
          "--read-units must be more than 0, and --settle-seconds 0 to %,d".formatted(MAX_SETTLE));
    }
    if (celebrityThreshold != null && celebrityThreshold < MIN_THRESHOLD) {
      throw new ParameterException(spec.commandLine(), "--celebrity-threshold must be 1 or more");
    }
    var halfLife = trend.halfLife();
    var indexSettling = settling.valid(spec);
    var started = System.nanoTime();
    var table = pace.open(options);
    // Before the walk, which may take weeks.
    var store = media.storeOfPlatform(options);
    store.ifPresent(VerifyCommand::requireAnswer);
    var upkeep = index.of(options, table);
    upkeep.ifPresent(VerifyCommand::requireAnswer);
    var clock = Clock.systemUTC();
    var out = spec.commandLine().getOut();
    var drain = options.isOfAws() ? settled() : drained(options.stream());
    Report after;
    long unsettled = 0;
    if (fix) {
      var loop = new RepairLoop(table, clock, rule(), halfLife, lanes(table));
      var report =
          completed(
              () -> loop.run(drain, scanned(), VerifyCommand::repairing),
              () -> loop.soFar().render(),
              out);
      System.err.println();
      out.print(report.render());
      out.printf("%n%,d repaired.%n", report.repaired());
      unsettled = report.unsettled();
      if (unsettled > 0) {
        out.printf(UNSETTLED, unsettled, patience().toSeconds(), MAX_SETTLE);
      }
      after = report.after();
    } else {
      var verification = new Verification(table, clock, rule(), halfLife);
      after =
          completed(
              () -> verification.run(drain, scanned()), () -> verification.soFar().render(), out);
      System.err.println();
      out.print(after.render());
    }
    // What follows may fail.
    out.flush();
    if (store.isPresent()) {
      after = shown(after, new MediaObjects(table, store.get()).compare(drain, fix), out);
    } else {
      out.printf("%nThe bytes of files were not compared: --media names their folder or bucket.%n");
    }
    if (upkeep.isPresent()) {
      var patient = new PatientIndex(upkeep.get(), table.retry());
      var comparison = new IndexComparison(table, patient, indexSettling);
      after = shown(after, comparison.compare(drain, fix), out);
    }
    out.println(summary(after, (System.nanoTime() - started) / NANOS));
    out.flush();
    if (after.isClean()) {
      return 0;
    }
    return unsettled == after.drifts() ? NOT_SETTLED : 1;
  }

  /** Lists a file of the store, if it has one. */
  private static void requireAnswer(MediaStore store) {
    try (var ids = store.mediaIds()) {
      var _ = ids.findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lists an entry of the index, if it has one. */
  private static void requireAnswer(IndexUpkeep upkeep) {
    upkeep.statesAfter(EntryKind.POST, "", 1);
  }

  /** Returns the result of a run; prints what it had found if it fails or a signal ends it. */
  private static <T> T completed(Supplier<T> run, Supplier<String> soFar, PrintWriter out) {
    var stop = new Thread(() -> printUntil("was ended", soFar, out), "stop");
    Runtime.getRuntime().addShutdownHook(stop);
    try {
      return run.get();
    } catch (RuntimeException e) {
      printUntil("has failed", soFar, out);
      throw e;
    } finally {
      remove(stop);
    }
  }

  private static void printUntil(String end, Supplier<String> soFar, PrintWriter out) {
    System.err.println();
    out.printf("The run %s. Until then it had found, partly without a second look:%n%n", end);
    out.print(soFar.get());
    out.flush();
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending because of a signal, so the hook runs.
    }
  }

  /** Prints the results of a further comparison, and returns them with those before. */
  private static Report shown(Report before, Report more, PrintWriter out) {
    out.printf("%n%s", more.render());
    out.flush();
    return before.and(more);
  }

  private Optional<CelebrityRule> rule() {
    return Optional.ofNullable(celebrityThreshold).map(CelebrityRule::new);
  }

  private static Runnable drained(PlatformStream stream) {
    var progress = new ConsoleProgress();
    return () -> stream.drain(progress);
  }

  /** The progress of the function on AWS is unknown, so this waits a fixed time. */
  private Runnable settled() {
    return new FixedWait(Duration.ofSeconds(settleSeconds));
  }

  /**
   * Waits for the stream.
   *
   * @param time which is never cut short
   */
  record FixedWait(Duration time) implements Runnable {
    @Override
    public void run() {
      System.err.printf("%nwaiting %,d s for the stream", time.toSeconds());
      try {
        Thread.sleep(time);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while waiting for the stream", e);
      }
    }
  }

  private static LongConsumer scanned() {
    return rows -> System.err.printf("\r%,d rows scanned", rows);
  }

  private Duration patience() {
    return Duration.ofSeconds(Math.max(settleSeconds, MIN_PATIENCE));
  }

  private LaneWait lanes(Table table) {
    return new LaneWait(
        table,
        patience(),
        places -> System.err.printf("\rwaiting for the multiplexer at %,d rows ", places));
  }

  private static void repairing(String check) {
    System.err.printf("%nrepairing %s", check);
  }

  private static String summary(Report report, double seconds) {
    var drift = report.isClean() ? "no drift" : "%,d drift".formatted(report.drifts());
    return "%,d rows in %.1f s: %s.".formatted(report.rows(), seconds, drift);
  }
}
