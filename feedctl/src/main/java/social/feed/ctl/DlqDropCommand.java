package social.feed.ctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./feed dlq drop}: deletes letters without applying them. */
@Command(
    name = "drop",
    description = "Deletes dead letters without applying them, and shows which.",
    mixinStandardHelpOptions = true)
final class DlqDropCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private QueueOptions queue = new QueueOptions();

  @ArgGroup(multiplicity = "1")
  private DeadLetterChoice choice = new DeadLetterChoice();

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    try (var letters = queue.open();
        var haul = letters.take(DlqListCommand.HIDDEN)) {
      var dropped = haul.letters().stream().filter(choice::has).toList();
      for (var letter : dropped) {
        haul.delete(letter);
        out.println("Dropped  " + letter.line());
      }
      var missing = choice.missing(haul.letters());
      missing.forEach(id -> out.print(DlqShowCommand.unknown(id)));
      out.printf("%,d dropped.%n", dropped.size());
      out.print(DlqListCommand.elsewhere(haul));
      out.flush();
      return missing.isEmpty() ? 0 : 1;
    }
  }
}
