package social.feed.engine.eventsource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A tumbling window of a shard, between its first and its final call.
 *
 * @param startMillis start in milliseconds since 1970, a multiple of the window's length
 * @param endMillis end in milliseconds since 1970, exclusive
 * @param state the state that the last call returned; empty before the first call
 */
public record OpenWindow(long startMillis, long endMillis, Map<String, String> state) {

  /** Lambda's limit for the state of a window. */
  private static final long MAX_STATE_BYTES = 1L << 20;

  /** Quotes, colon and comma of an entry in JSON. */
  private static final int JSON_BYTES = 6;

  public OpenWindow {
    if (endMillis <= startMillis) {
      throw new IllegalArgumentException("a window must end after its start");
    }
    state = Map.copyOf(state);
  }

  static OpenWindow at(Instant now, Duration length) {
    long start = Math.floorDiv(now.toEpochMilli(), length.toMillis()) * length.toMillis();
    return new OpenWindow(start, start + length.toMillis(), Map.of());
  }

  boolean isOver(Instant now) {
    return now.toEpochMilli() >= endMillis;
  }

  boolean isStateTooLarge() {
    return state.entrySet().stream()
            .mapToLong(e -> JSON_BYTES + bytes(e.getKey()) + bytes(e.getValue()))
            .sum()
        > MAX_STATE_BYTES;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  OpenWindow with(Map<String, String> newState) {
    return new OpenWindow(startMillis, endMillis, newState);
  }

  Instant start() {
    return Instant.ofEpochMilli(startMillis);
  }

  Instant end() {
    return Instant.ofEpochMilli(endMillis);
  }
}
