package social.feed.streams;

import java.time.Duration;
import java.util.Optional;
import social.feed.streams.plan.Lane;

/**
 * What a lane requires of the event source mapping that feeds it, wherever it runs. Both mappings
 * return partial batch failures and begin at the oldest record.
 *
 * @param tumblingWindow how long a window is; only events of windows name their shard. Empty for a
 *     lane that needs no shard
 * @param batchingWindow how long records are collected before a batch that is not full is delivered
 * @param everyRecord whether no record may be left out: one batch of a shard at a time, never
 *     bisected, retried without limit and at any age of its records. Otherwise batches of a shard
 *     may run concurrently, and a record may go to the failure destination after enough attempts
 */
public record LaneMapping(
    Optional<Duration> tumblingWindow, Duration batchingWindow, boolean everyRecord) {
  private static final Duration WINDOW = Duration.ofSeconds(10);

  /**
   * A shard that is not behind writes a counted item at most once a second, unless a batch is full.
   * So a hundred shards that count the same tag write its partition a hundred times a second.
   */
  private static final Duration BATCHING = Duration.ofSeconds(1);

  /** Lambda's maximum. */
  private static final int EFFECTS_AT_ONCE = 10;

  /** Returns how many batches of a shard may run at once. */
  public int batchesOfAShard() {
    return everyRecord ? 1 : EFFECTS_AT_ONCE;
  }

  /** The mapping of a lane. */
  public static LaneMapping of(Lane lane) {
    return switch (lane) {
      case COUNTS -> new LaneMapping(Optional.of(WINDOW), BATCHING, true);
      case EFFECTS -> new LaneMapping(Optional.empty(), Duration.ZERO, false);
    };
  }
}
