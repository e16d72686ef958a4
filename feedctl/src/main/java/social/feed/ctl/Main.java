package social.feed.ctl;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line. Exit codes: 0 done, 1 something is wrong with the data, 2 could not be done.
 */
@Command(
    name = "feed",
    description = "The feed platform: one DynamoDB table, a REST API and a stream multiplexer.",
    mixinStandardHelpOptions = true,
    subcommands = {UpCommand.class, ImportCommand.class, VerifyCommand.class})
public final class Main {
  private Main() {}

  /** Runs a command. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler(
            (failure, command, _) -> {
              command.getErr().println("feed: " + Remedies.of(failure));
              return CommandLine.ExitCode.USAGE;
            });
  }
}
