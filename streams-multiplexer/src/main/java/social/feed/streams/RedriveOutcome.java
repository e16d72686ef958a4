package social.feed.streams;

import java.util.List;

/** How the redrive of a dead letter ended. */
public sealed interface RedriveOutcome {
  /**
   * It is applied.
   *
   * @param effects what was done, in words; none when the record, now that it can be read, causes
   *     nothing
   */
  record Applied(List<String> effects) implements RedriveOutcome {}

  /**
   * It was applied earlier, by the stream, by a redrive or by a recount, or the row that it would
   * change is gone; nothing changed.
   */
  record AppliedBefore() implements RedriveOutcome {}

  /**
   * It could not be applied and is to be kept.
   *
   * @param reason what went wrong this time, in words
   */
  record Failed(String reason) implements RedriveOutcome {}
}
