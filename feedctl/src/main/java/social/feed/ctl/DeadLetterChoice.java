package social.feed.ctl;

import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import social.feed.local.dlq.LeasedDeadLetter;

/** Options that select dead letters: some by their ids, or all. */
final class DeadLetterChoice {
  @Parameters(paramLabel = "ID", arity = "1..*", description = "ids as ./feed dlq list shows them")
  private List<String> ids = List.of();

  @Option(names = "--all", required = true, description = "every dead letter of the queue")
  private boolean all;

  boolean has(LeasedDeadLetter deadLetter) {
    return all || ids.contains(deadLetter.id());
  }

  /** Returns the selected ids that no dead letter has. */
  List<String> missing(List<LeasedDeadLetter> deadLetters) {
    var there = deadLetters.stream().map(LeasedDeadLetter::id).toList();
    return ids.stream().filter(id -> !there.contains(id)).distinct().toList();
  }
}
