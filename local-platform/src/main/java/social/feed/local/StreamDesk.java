package social.feed.local;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import social.feed.engine.eventsource.DrainTimeoutException;
import social.feed.engine.eventsource.EventSource;

/** What the API of the local platform may ask its stream. It is made before the stream is. */
final class StreamDesk {
  private final CompletableFuture<EventSource> stream = new CompletableFuture<>();

  void serves(EventSource stream) {
    this.stream.complete(stream);
  }

  /** Waits for the stream to drain; says how far it is when that takes longer. */
  Optional<String> drain(Duration patience) {
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
