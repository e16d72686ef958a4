package social.feed.ctl;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import social.feed.ctl.dlq.DeadLetterTable;
import social.feed.local.dlq.LeasedMessages;

/** {@code ./feed dlq list}: shows the dead letters of the queue, oldest first. */
@Command(
    name = "list",
    description =
        "Shows the dead letters, oldest first. They stay in the queue, and their receive count grows"
            + " by one.",
    mixinStandardHelpOptions = true)
final class DlqListCommand implements Callable<Integer> {
  static final Duration HIDDEN = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @Mixin private QueueOptions queue = new QueueOptions();

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    try (var deadLetters = queue.open();
        var leased = deadLetters.receive(HIDDEN)) {
      int number = leased.deadLetters().size();
      if (number == 0) {
        out.println("The queue is empty: there are no dead letters.");
      } else {
        out.print(DeadLetterTable.of(leased.deadLetters()));
        out.printf("%,d %s.%n", number, number == 1 ? "dead letter" : "dead letters");
      }
      out.print(elsewhere(leased));
      out.flush();
    }
    return 0;
  }

  /**
   * Returns a line about the messages that exceed the maximum, one about those that took too long,
   * and one about the hidden ones.
   */
  static String elsewhere(LeasedMessages leased) {
    var text = new StringBuilder();
    if (leased.isCutShort()) {
      text.append(
          "There may be more: the first ones were visible again before all were received. Receive"
              + " fewer at a time with --max.%n".formatted());
    }
    if (leased.more() > 0) {
      text.append(
          "There are about %,d more. Receive more at a time with --max.%n"
              .formatted(leased.more()));
    }
    if (leased.busy() > 0) {
      text.append(
          "Another consumer holds about %,d at the moment; they reappear when its lease ends.%n"
              .formatted(leased.busy()));
    }
    return text.toString();
  }
}
