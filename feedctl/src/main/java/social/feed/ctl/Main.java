package social.feed.ctl;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line. Exit codes: 0 success, 1 a problem in the data, 2 the command could not run.
 */
@Command(
    name = "feed",
    description = "The feed platform: one DynamoDB table, a REST API and a stream multiplexer.",
    mixinStandardHelpOptions = true,
    subcommands = {
      UpCommand.class,
      DemoCommand.class,
      ImportCommand.class,
      VerifyCommand.class,
      ReindexCommand.class,
      LoadCommand.class,
      ErasureCommand.class,
      PlanCommand.class,
      DlqCommand.class,
      ListenCommand.class,
      RehearseCommand.class,
      SuspicionCommand.class
    })
public final class Main {
  private Main() {}

  /** Runs a command. */
  public static void main(String[] arguments) {
    // Log4j comes with the engine and the queue. It fails to initialize during a shutdown, because
    // it
    // registers a shutdown hook. It writes to no file, so it needs none.
    System.setProperty("log4j.shutdownHookEnabled", "false");
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command with all its subcommands. */
  public static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler(
            (failure, command, _) -> {
              command.getErr().println("feed: " + Remedies.of(failure, isOfAws(command)));
              return CommandLine.ExitCode.USAGE;
            });
  }

  /** Returns whether a command names a table of AWS. */
  static boolean isOfAws(CommandLine command) {
    var region = command.getCommandSpec().findOption(TableOptions.REGION);
    return region != null && region.getValue() != null;
  }
}
