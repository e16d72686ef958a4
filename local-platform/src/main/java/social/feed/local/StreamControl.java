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

/** What the API of the local platform may ask its stream. It is made before the stream is. */
final class StreamControl {
  private final CompletableFuture<EventSource> stream = new CompletableFuture<>();

  private @Nullable Long heldUntil;

  void serves(EventSource stream) {
    this.stream.complete(stream);
  }

  /**
   * Holds the multiplexer for a while, so that a bulk load has the engine for itself and its
   * effects come in full batches. A repeated call extends the hold; the end needs no call.
   */
  synchronized void hold(Duration time) {
    if (heldUntil == null) {
      stream.join().pause();
    }
    heldUntil = System.nanoTime() + time.toNanos();
    CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)
        .execute(this::goOnWhenDue);
  }

  private synchronized void goOnWhenDue() {
    if (heldUntil != null && System.nanoTime() - heldUntil >= 0) {
      goOn();
    }
  }

  /** Ends a hold, if there is one. */
  synchronized void goOn() {
    if (heldUntil != null) {
      heldUntil = null;
      stream.join().resume();
    }
  }

  /**
   * Waits for the stream to drain, and holds it no longer; says how far it is when that is long.
   */
  Optional<String> drain(Duration patience) {
    goOn();
    try {
      stream.join().drain(patience);
      return Optional.empty();
    } catch (DrainTimeoutException e) {
      return Optional.of(progress());
    }
  }

  /** How many records each lane has handled since the start. */
  private String progress() {
    return stream.join().status().stream()
        .map(
            lane ->
                String.format(Locale.ROOT, "%s %,d records", lane.mapping(), lane.recordsHandled()))
        .collect(Collectors.joining(", "));
  }
}
