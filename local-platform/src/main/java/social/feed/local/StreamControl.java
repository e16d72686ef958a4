package social.feed.local;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.engine.eventsource.DrainTimeoutException;
import social.feed.engine.eventsource.EventSource;

/**
 * Controls the event source for the API of the local platform. It is created before the event
 * source.
 */
final class StreamControl {
  private final CompletableFuture<EventSource> stream = new CompletableFuture<>();

  private @Nullable Long heldUntil;

  void attach(EventSource stream) {
    this.stream.complete(stream);
  }

  /**
   * Holds the multiplexer for a time. A bulk load then has the engine for itself, and its effects
   * are delivered in full batches. A repeated call extends the hold, which ends without a call.
   */
  synchronized void hold(Duration time) {
    if (heldUntil == null) {
      stream.join().pause();
    }
    heldUntil = System.nanoTime() + time.toNanos();
    CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)
        .execute(this::releaseWhenDue);
  }

  private synchronized void releaseWhenDue() {
    if (heldUntil != null && System.nanoTime() - heldUntil >= 0) {
      release();
    }
  }

  /** Ends the present hold, if any. */
  synchronized void release() {
    if (heldUntil != null) {
      heldUntil = null;
      stream.join().resume();
    }
  }

  /**
   * Ends a hold and waits for the stream to drain. Returns the progress if that takes longer than
   * the patience.
   */
  Optional<String> drain(Duration patience) {
    release();
    try {
      stream.join().drain(patience);
      return Optional.empty();
    } catch (DrainTimeoutException e) {
      return Optional.of(progress());
    }
  }

  /** Returns the number of records that each lane has handled since the start. */
  private String progress() {
    return stream.join().status().stream()
        .map(
            lane ->
                String.format(Locale.ROOT, "%s %,d records", lane.mapping(), lane.recordsHandled()))
        .collect(Collectors.joining(", "));
  }
}
