package social.feed.streams.plan;

import java.util.Locale;

/**
 * One of the two readers that a shard admits. {@link Plan} says which changes have effects in which
 * lane. An event source filters by that, so that the multiplexer's own writes do not come back.
 */
public enum Lane {
  /**
   * Counters with a checkpoint for each shard: one batch at a time, in windows, so that events name
   * their shard.
   */
  COUNTS,

  /** All other effects, idempotent by key. */
  EFFECTS;

  /** The alias of the function that the event source mapping of this lane calls. */
  public String alias() {
    return name().toLowerCase(Locale.ROOT);
  }
}
