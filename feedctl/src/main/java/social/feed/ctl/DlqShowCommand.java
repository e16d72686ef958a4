package social.feed.ctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import social.feed.local.dlq.DeadLetterPage;

/** {@code ./feed dlq show ID}: shows all fields of a dead letter. */
@Command(
    name = "show",
    description =
        "Shows all fields of a dead letter, with both images. Exits 1 if it does not exist.",
    mixinStandardHelpOptions = true)
final class DlqShowCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private QueueOptions queue = new QueueOptions();

  @Parameters(paramLabel = "ID", description = "id as ./feed dlq list shows it")
  private String id = "";

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    try (var deadLetters = queue.open();
        var leased = deadLetters.receive(DlqListCommand.HIDDEN)) {
      var found =
          leased.deadLetters().stream().filter(deadLetter -> deadLetter.id().equals(id)).toList();
      out.print(
          found.isEmpty()
              ? unknown(id) + DlqListCommand.elsewhere(leased)
              : DeadLetterPage.of(found.getFirst()));
      if (found.size() > 1) {
        out.printf(
            "It exists %,d times, because its record was delivered again. It is applied once.%n",
            found.size());
      }
      out.flush();
      return found.isEmpty() ? 1 : 0;
    }
  }

  static String unknown(String id) {
    return "No dead letter has the id %s. ./feed dlq list shows all of them.%n".formatted(id);
  }
}
