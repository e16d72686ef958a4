package social.feed.ctl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.plan.PlanOptions;
import social.feed.ctl.plan.PlanReport;

/** {@code ./feed plan}: what a platform of a given size costs, and which limits it reaches. */
@Command(
    name = "plan",
    description = {
      "Computes request units, dollars, storage, hot keys, concurrency, quotas and the cheapest"
          + " celebrity threshold of a platform of a given size, from the costs that the tests assert."
          + " Reads no table.",
      "Exits 0, or 2 if an option is outside its limits."
    },
    mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private PlanOptions options = new PlanOptions();

  @Option(names = "--json", paramLabel = "FILE", description = "also write the figures as JSON")
  private @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    var report = report();
    if (json != null) {
      Files.writeString(json, report.json());
    }
    spec.commandLine().getOut().print(report.plain());
    spec.commandLine().getOut().flush();
    return 0;
  }

  private PlanReport report() {
    try {
      return options.report();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
