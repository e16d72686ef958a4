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

/** Controls the event source of this process. It is created before the event source. */
final class LocalStreamControl implements StreamControl {
  private final CompletableFuture<EventSource> stream = new CompletableFuture<>();

  private @Nullable Long heldUntil;

  void attach(EventSource stream) {
    this.stream.complete(stream);
  }

  @Override
  public synchronized void hold(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    // A batch under way may take long, and this object must stay free for a release.
    stream.join().requestPause();
    heldUntil = until;
    CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)
        .execute(this::releaseWhenDue);
  }

  /** Returns whether deliveries are held. */
  synchronized boolean isHeld() {
    return heldUntil != null;
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

  @Override
  public Optional<String> drain(Duration patience) {
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
