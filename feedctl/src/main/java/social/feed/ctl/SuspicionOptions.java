package social.feed.ctl;

import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import social.feed.table.suspicion.SuspicionRules;

/** The thresholds of suspicious follows, for commands that decide about follows. */
final class SuspicionOptions {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--suspicious",
      paramLabel = "NAME=VALUE",
      split = ",",
      description =
          "thresholds of suspicious follows, as feed.multiplexer.suspicious-NAME on AWS: follows,"
              + " unfollows, blocks, block-share, same-order, new-for, score")
  private Map<String, String> thresholds = Map.of();

  /** Returns the rules with these thresholds. */
  SuspicionRules rules() {
    try {
      return SuspicionRules.STANDARD.with(thresholds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--suspicious: " + e.getMessage(), e);
    }
  }
}
