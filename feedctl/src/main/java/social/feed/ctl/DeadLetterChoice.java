package social.feed.ctl;

import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import social.feed.ctl.dlq.LeasedDeadLetter;

/** Which letters: some by their ids, or all. */
final class DeadLetterChoice {
  @Parameters(paramLabel = "ID", arity = "1..*", description = "as ./feed dlq list shows them")
  private List<String> ids = List.of();

  @Option(names = "--all", required = true, description = "every letter of the queue")
  private boolean all;

  boolean has(LeasedDeadLetter letter) {
    return all || ids.contains(letter.id());
  }

  /** The ids that none of the letters has. */
  List<String> missing(List<LeasedDeadLetter> letters) {
    var there = letters.stream().map(LeasedDeadLetter::id).toList();
    return ids.stream().filter(id -> !there.contains(id)).distinct().toList();
  }
}
