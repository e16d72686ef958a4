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
    subcommands = {
      UpCommand.class,
      ImportCommand.class,
      VerifyCommand.class,
      ErasureCommand.class,
      DlqCommand.class,
      RehearseCommand.class
    })
public final class Main {
  private Main() {}

  /** Runs a command. */
  public static void main(String[] arguments) {
    // Log4j, which the engine and the queue bring along, does not initialize in a process that is
    // being stopped, because it wants to be told of that. It writes to no file, so it need not be.
    System.setProperty("log4j.shutdownHookEnabled", "false");
    System.exit(commandLine().execute(arguments));
  }

  /** The command with all that are under it. */
  public static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler(
            (failure, command, _) -> {
              command.getErr().println("feed: " + Remedies.of(failure, isOfAws(command)));
              return CommandLine.ExitCode.USAGE;
            });
  }

  /** Whether a command was told of a table of AWS. */
  static boolean isOfAws(CommandLine command) {
    var region = command.getCommandSpec().findOption(TableOptions.REGION);
    return region != null && region.getValue() != null;
  }
}
