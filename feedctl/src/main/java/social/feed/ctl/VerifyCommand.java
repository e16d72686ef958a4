package social.feed.ctl;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.verify.RepairLoop;
import social.feed.ctl.verify.Report;
import social.feed.ctl.verify.Verification;
import social.feed.table.user.CelebrityRule;

/** {@code ./feed verify}: compares everything that is derived with what it is derived from. */
@Command(
    name = "verify",
    description = {
      "Recounts every counter and compares every feed, tag row, index key and handle with what it"
          + " follows from. A row that nobody can read is drift.",
      "Exits 0 when nothing is wrong, 1 on any drift (with --fix: on any that is left), 2 when the"
          + " table or the platform cannot be asked."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private static final double NANOS = 1e9;

  private static final long MIN_THRESHOLD = 1;

  /** What the stream keeps. */
  private static final long MAX_SETTLE = 86_400;

  @Spec private CommandSpec spec;

  @Mixin private TableOptions options = new TableOptions();

  @Mixin private TrendOptions trend = new TrendOptions();

  @Option(
      names = "--fix",
      description = {
        "Repairs what is wrong still after the stream was drained, and looks again: counters, follow"
            + " quotas, index keys, tag rows, feed entries, handle claims; what deleted posts left"
            + " behind, and the edges of accounts that do not exist, are removed.",
        "Only reported: rows that cannot be read, two accounts of one handle, and what people wrote"
            + " under an account that does not exist. May be run while the platform is in use."
      })
  private boolean fix;

  @Mixin private ReadRateOptions pace = new ReadRateOptions();

  @Option(
      names = "--settle-seconds",
      defaultValue = "300",
      description =
          "with --region: how long the stream is given before what seems wrong is looked at again;"
              + " longer than it is behind (default: ${DEFAULT-VALUE})")
  private long settleSeconds = 300;

  @Option(
      names = "--celebrity-threshold",
      description =
          "as the platform was started with; where it is not given, the flags of celebrities are"
              + " not compared with their followers")
  private @Nullable Long celebrityThreshold;

  @Override
  public Integer call() {
    if (!pace.isValid() || settleSeconds < 0 || settleSeconds > MAX_SETTLE) {
      throw new ParameterException(
          spec.commandLine(),
          "--read-units is more than 0, and --settle-seconds 0 to %,d".formatted(MAX_SETTLE));
    }
    if (celebrityThreshold != null && celebrityThreshold < MIN_THRESHOLD) {
      throw new ParameterException(spec.commandLine(), "--celebrity-threshold is 1 or more");
    }
    var halfLife = trend.halfLife();
    var started = System.nanoTime();
    var table = pace.open(options);
    var out = spec.commandLine().getOut();
    var drain = options.isOfAws() ? settled() : drained(options.stream());
    Report after;
    if (fix) {
      var report =
          new RepairLoop(table, rule(), halfLife).run(drain, walked(), VerifyCommand::repairing);
      System.err.println();
      out.print(report.render());
      out.printf("%n%,d repaired.%n", report.repaired());
      after = report.after();
    } else {
      after = new Verification(table, rule(), halfLife).run(drain, walked());
      System.err.println();
      out.print(after.render());
    }
    out.println(summary(after, (System.nanoTime() - started) / NANOS));
    out.flush();
    return after.isClean() ? 0 : 1;
  }

  private Optional<CelebrityRule> rule() {
    return Optional.ofNullable(celebrityThreshold).map(CelebrityRule::new);
  }

  private static Runnable drained(PlatformStream stream) {
    var progress = new ConsoleProgress();
    return () -> stream.drain(progress);
  }

  /** Nobody can be asked how far the function is, so it is given time. */
  private Runnable settled() {
    return () -> {
      System.err.printf("%ngiving the stream %,d s", settleSeconds);
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(settleSeconds));
    };
  }

  private static LongConsumer walked() {
    var walked = new long[1];
    return rows -> {
      walked[0] += rows;
      System.err.printf("\r%,d rows walked", walked[0]);
    };
  }

  private static void repairing(String what) {
    System.err.printf("%nrepairing %s", what);
  }

  private static String summary(Report report, double seconds) {
    var drift = report.isClean() ? "no drift" : "%,d drift".formatted(report.drifts());
    return "%,d rows in %.1f s: %s.".formatted(report.rows(), seconds, drift);
  }
}
