package social.feed.ctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import social.feed.ctl.verify.Verification;

/** {@code ./feed verify}: compares everything that is derived with what it is derived from. */
@Command(
    name = "verify",
    description =
        "Recounts every counter and compares every feed with the follow edges and posts. Exits 1 on"
            + " any drift.",
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private TableOptions options = new TableOptions();

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    var verification = new Verification(options.open());
    var walked = new long[1];
    var report =
        verification.run(
            () -> options.stream().drain(out),
            rows -> {
              walked[0] += rows;
              System.err.printf("\r%,d rows walked", walked[0]);
            });
    System.err.println();
    out.print(report.render());
    out.println(report.isClean() ? "No drift." : "Drift found.");
    out.flush();
    return report.isClean() ? 0 : 1;
  }
}
