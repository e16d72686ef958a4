package social.feed.ctl;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import social.feed.ctl.dlq.DeadLetterTable;
import social.feed.ctl.dlq.LeasedMessages;

/** {@code ./feed dlq list}: the letters of the queue, oldest first. */
@Command(
    name = "list",
    description =
        "Shows the dead letters, oldest first. They stay in the queue; that each was received once"
            + " more is counted.",
    mixinStandardHelpOptions = true)
final class DlqListCommand implements Callable<Integer> {
  static final Duration HIDDEN = Duration.ofSeconds(30);

  @Spec private CommandSpec spec;

  @Mixin private QueueOptions queue = new QueueOptions();

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    try (var letters = queue.open();
        var haul = letters.take(HIDDEN)) {
      int number = haul.letters().size();
      if (number == 0) {
        out.println("The queue is empty: nothing has become a dead letter.");
      } else {
        out.print(DeadLetterTable.of(haul.letters()));
        out.printf("%,d %s.%n", number, number == 1 ? "letter" : "letters");
      }
      out.print(elsewhere(haul));
      out.flush();
    }
    return 0;
  }

  /** What is in the queue beside the letters of a haul, a line each. */
  static String elsewhere(LeasedMessages haul) {
    var text = new StringBuilder();
    if (haul.more() > 0) {
      text.append(
          "There are about %,d more. Take more at a time with --max.%n".formatted(haul.more()));
    }
    if (haul.busy() > 0) {
      text.append(
          "Somebody else holds about %,d just now; they come back by themselves.%n"
              .formatted(haul.busy()));
    }
    return text.toString();
  }
}
