package social.feed.ctl;

import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import social.feed.local.dlq.LeasedDeadLetter;
import social.feed.local.dlq.LeasedMessages;

/** Options that select dead letters: some by their ids, or all. */
final class DeadLetterChoice {
  @Parameters(paramLabel = "ID", arity = "1..*", description = "ids as ./feed dlq list shows them")
  private List<String> ids = List.of();

  @Option(names = "--all", required = true, description = "every dead letter of the queue")
  private boolean all;

  boolean has(LeasedDeadLetter deadLetter) {
    return all || ids.contains(deadLetter.id());
  }

  /** Returns whether everything that was selected has been received. */
  boolean isComplete(LeasedMessages leased) {
    boolean isMore = leased.more() > 0 || leased.busy() > 0 || leased.isCutShort();
    return missing(leased.deadLetters()).isEmpty() && !(all && isMore);
  }

  /** Returns the selected ids that no dead letter has. */
  List<String> missing(List<LeasedDeadLetter> deadLetters) {
    var there = deadLetters.stream().map(LeasedDeadLetter::id).toList();
    return ids.stream().filter(id -> !there.contains(id)).distinct().toList();
  }
}
