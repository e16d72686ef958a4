package social.feed.local;

import java.time.Duration;
import java.util.Optional;

/** Controls the event source for the API of the local platform. */
interface StreamControl {
  /** The longest hold, and the longest patience. */
  int MAX_MILLIS = 60_000;

  /** Returns a time from 0 to {@link #MAX_MILLIS}. */
  static Duration bounded(long millis) {
    return Duration.ofMillis(Math.clamp(millis, 0, MAX_MILLIS));
  }

  /**
   * Holds the multiplexer for a time, from the end of the batch under way. A bulk load then has the
   * engine for itself, and its effects are delivered in full batches. A repeated call extends the
   * hold, which ends without a call.
   */
  void hold(Duration time);

  /**
   * Ends a hold and waits for the stream to drain. Returns the progress if that takes longer than
   * the patience.
   */
  Optional<String> drain(Duration patience);
}
