package social.feed.ctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./feed dlq drop}: deletes dead letters without applying them. */
@Command(
    name = "drop",
    description =
        "Deletes dead letters without applying them, and lists them. Exits 1 if some are left that were"
            + " to be deleted.",
    mixinStandardHelpOptions = true)
final class DlqDropCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private QueueOptions queue = new QueueOptions();

  @ArgGroup(multiplicity = "1")
  private DeadLetterChoice choice = new DeadLetterChoice();

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    try (var deadLetters = queue.open();
        var leased = deadLetters.receive(DlqListCommand.HIDDEN)) {
      var dropped = leased.deadLetters().stream().filter(choice::has).toList();
      for (var deadLetter : dropped) {
        leased.delete(deadLetter);
        out.println("Dropped  " + deadLetter.line());
      }
      var missing = choice.missing(leased.deadLetters());
      missing.forEach(id -> out.print(DlqShowCommand.unknown(id)));
      out.printf("%,d dropped.%n", dropped.size());
      out.print(DlqListCommand.elsewhere(leased));
      out.flush();
      return choice.isComplete(leased) ? 0 : 1;
    }
  }
}
