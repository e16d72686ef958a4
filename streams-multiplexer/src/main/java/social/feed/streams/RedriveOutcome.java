package social.feed.streams;

import java.util.List;

/** The outcome of the redrive of a dead letter. */
public sealed interface RedriveOutcome {
  /**
   * The dead letter is applied.
   *
   * @param effects the applied effects in words; empty when the record can be decoded now and has
   *     no effects
   */
  record Applied(List<String> effects) implements RedriveOutcome {}

  /**
   * The dead letter was applied earlier, by the stream, by a redrive or by a recount, or its row is
   * gone. Nothing changed.
   */
  record AppliedBefore() implements RedriveOutcome {}

  /**
   * The dead letter could not be applied and must be kept.
   *
   * @param reason the failure of this attempt, in words
   */
  record Failed(String reason) implements RedriveOutcome {}
}
