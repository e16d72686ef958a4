package social.feed.ctl;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.suspicion.SuspicionTrial;

/** {@code ./feed suspicion}: how well abnormal follow behavior is recognized on a graph. */
@Command(
    name = "suspicion",
    description = {
      "Plants bots in a follower graph, 'follower followee' a line, lets all accounts follow, and"
          + " prints precision and recall. Reads and writes no table.",
      "Exits 0, or 2 if the graph cannot be used."
    },
    mixinStandardHelpOptions = true)
final class SuspicionCommand implements Callable<Integer> {
  private static final int MAX_BOTS = 10_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--edges",
      required = true,
      description = "file with the graph, as import reads it; at most 5 000 000 edges")
  private Path edges = Path.of("");

  @Option(
      names = "--bots",
      defaultValue = "200",
      description = "how many of each kind are planted, 20 to 10000 (default: ${DEFAULT-VALUE})")
  private int bots;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "the same seed gives the same result (default: ${DEFAULT-VALUE})")
  private long seed;

  @Mixin private SuspicionOptions suspicion = new SuspicionOptions();

  @Override
  public Integer call() {
    var command = spec.commandLine();
    if (!Files.isReadable(edges) || Files.isDirectory(edges)) {
      throw new ParameterException(command, "Cannot read the file " + edges);
    }
    if (bots < SuspicionTrial.LEAST_BOTS || bots > MAX_BOTS) {
      throw new ParameterException(
          command,
          "--bots must be %d to %d, not %d".formatted(SuspicionTrial.LEAST_BOTS, MAX_BOTS, bots));
    }
    try {
      var trial = SuspicionTrial.of(new EdgeFile(edges), bots, seed, suspicion.rules());
      trial.results().forEach(result -> command.getOut().print(result.plain()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, String.valueOf(e.getMessage()), e);
    }
    command.getOut().flush();
    return 0;
  }
}
