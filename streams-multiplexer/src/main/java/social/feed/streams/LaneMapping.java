package social.feed.streams;

import java.time.Duration;
import java.util.Optional;
import social.feed.streams.plan.Lane;

/**
 * What a lane relies on in the event source mapping that feeds it, wherever it runs. Both answer
 * with partial batch failures and begin at the oldest record there is.
 *
 * @param tumblingWindow how long a window is; only events of windows name their shard. Empty for a
 *     lane that needs no shard
 * @param everyRecord whether no record may be left out: one batch of a shard at a time, never
 *     bisected, tried without end and whatever the age of its records. Otherwise batches of a shard
 *     may run beside each other, and a record may end elsewhere after enough attempts
 */
public record LaneMapping(Optional<Duration> tumblingWindow, boolean everyRecord) {
  private static final Duration WINDOW = Duration.ofSeconds(10);

  /** The mapping of a lane. */
  public static LaneMapping of(Lane lane) {
    return switch (lane) {
      case COUNTS -> new LaneMapping(Optional.of(WINDOW), true);
      case EFFECTS -> new LaneMapping(Optional.empty(), false);
    };
  }
}
