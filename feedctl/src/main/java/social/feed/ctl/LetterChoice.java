package social.feed.ctl;

import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import social.feed.ctl.dlq.HeldLetter;

/** Which letters: some by their ids, or all. */
final class LetterChoice {
  @Parameters(paramLabel = "ID", arity = "1..*", description = "as ./feed dlq list shows them")
  private List<String> ids = List.of();

  @Option(names = "--all", required = true, description = "every letter of the queue")
  private boolean all;

  boolean has(HeldLetter letter) {
    return all || ids.contains(letter.id());
  }

  /** The ids that none of the letters has. */
  List<String> missing(List<HeldLetter> letters) {
    var there = letters.stream().map(HeldLetter::id).toList();
    return ids.stream().filter(id -> !there.contains(id)).distinct().toList();
  }
}
