package social.feed.engine.eventsource;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A tumbling window of a shard that has had a call and not its final one.
 *
 * @param startMillis since 1970, a multiple of the window's length
 * @param endMillis exclusive
 * @param state what the last call returned; empty before the first
 */
public record OpenWindow(long startMillis, long endMillis, Map<String, String> state) {

  public OpenWindow {
    if (endMillis <= startMillis) {
      throw new IllegalArgumentException("a window ends after its start");
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
