package social.feed.streams.sink;

import java.util.Arrays;
import software.amazon.awssdk.core.exception.SdkClientException;

/** A queue has refused some of several messages, and has the others. A repetition may succeed. */
final class RefusedMessagesException extends SdkClientException {
  private static final long serialVersionUID = 1;

  private final int[] positions;

  /**
   * @param positions those of the messages that it refused
   */
  RefusedMessagesException(int[] positions, String message) {
    super(builder().message(message));
    this.positions = positions;
  }

  /** Returns whether the queue has the message at a position. */
  boolean accepts(int position) {
    return Arrays.stream(positions).noneMatch(refused -> refused == position);
  }
}
