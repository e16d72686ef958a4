package social.feed.local.page;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parts of the platform behind the stream, as the page shows them. */
public interface MachineRoom {
  /**
   * A lane of the multiplexer.
   *
   * @param lagMs how long the oldest record that was read and not handled waits; null without the
   *     X-ray
   * @param waiting the number of such records; null without the X-ray
   * @param handled records that were handled since the start
   * @param failed calls of the function that failed
   * @param givenUp records that the event source has given up
   */
  record LaneStatus(
      String lane,
      boolean isIdle,
      boolean isHeld,
      @Nullable Double lagMs,
      @Nullable Integer waiting,
      long handled,
      long failed,
      long givenUp,
      @Nullable String lastError) {}

  /**
   * A dead letter.
   *
   * @param sentAt the time, in UTC
   * @param page all of its fields, with both images, as {@code ./feed dlq show} prints them
   */
  record DeadLetterStatus(
      String id, String handler, String subject, String reason, String sentAt, String page) {}

  List<LaneStatus> lanes();

  /** Returns what verifies the table. */
  VerifyRun verification();

  /** Returns the dead letters, oldest first, at most a hundred. */
  List<DeadLetterStatus> deadLetters();

  /** Applies a dead letter. Returns the outcome in words, empty if it does not exist. */
  Optional<String> redrive(String id);

  /** Deletes a dead letter. Returns the outcome in words, empty if it does not exist. */
  Optional<String> drop(String id);
}
