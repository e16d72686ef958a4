package social.feed.ctl;

import picocli.CommandLine.Command;

/** {@code ./feed dlq}: handles records that the multiplexer could not apply. */
@Command(
    name = "dlq",
    description = "Lists dead letters, applies them again, or drops them.",
    mixinStandardHelpOptions = true,
    subcommands = {
      DlqListCommand.class,
      DlqShowCommand.class,
      DlqRedriveCommand.class,
      DlqDropCommand.class,
      DlqReplayCommand.class
    })
final class DlqCommand {}
