package social.feed.ctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import social.feed.ctl.dlq.DeadLetterPage;

/** {@code ./feed dlq show ID}: everything that a letter says. */
@Command(
    name = "show",
    description = "Shows a dead letter whole, with both images. Exits 1 when it is not there.",
    mixinStandardHelpOptions = true)
final class DlqShowCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private QueueOptions queue = new QueueOptions();

  @Parameters(paramLabel = "ID", description = "as ./feed dlq list shows it")
  private String id = "";

  @Override
  public Integer call() {
    var out = spec.commandLine().getOut();
    try (var letters = queue.open();
        var haul = letters.take(DlqListCommand.HIDDEN)) {
      var found = haul.letters().stream().filter(letter -> letter.id().equals(id)).toList();
      out.print(
          found.isEmpty()
              ? unknown(id) + DlqListCommand.elsewhere(haul)
              : DeadLetterPage.of(found.getFirst()));
      if (found.size() > 1) {
        out.printf(
            "It is there %,d times, as its record came again. Applied, it is applied once.%n",
            found.size());
      }
      out.flush();
      return found.isEmpty() ? 1 : 0;
    }
  }

  static String unknown(String id) {
    return "No letter has the id %s. ./feed dlq list shows those that there are.%n".formatted(id);
  }
}
