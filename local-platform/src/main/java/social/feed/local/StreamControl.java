package social.feed.local;

import java.time.Duration;
import java.util.Optional;

/** Controls the event source for the API of the local platform. */
interface StreamControl {
  /**
   * Holds the multiplexer for a time. A bulk load then has the engine for itself, and its effects
   * are delivered in full batches. A repeated call extends the hold, which ends without a call.
   */
  void hold(Duration time);

  /**
   * Ends a hold and waits for the stream to drain. Returns the progress if that takes longer than
   * the patience.
   */
  Optional<String> drain(Duration patience);
}
