package social.feed.engine.eventsource;

import org.jspecify.annotations.Nullable;

/**
 * The position of a mapping in a shard.
 *
 * @param sequenceNumber sequence number of the last handled record; null if there is none yet
 * @param finished whether the shard is closed and all its records are handled, so that its children
 *     may start
 * @param window the open tumbling window, whose state is used again after a restart; null if none
 *     is open
 */
public record Checkpoint(
    @Nullable String sequenceNumber, boolean finished, @Nullable OpenWindow window) {

  static final Checkpoint TRIM_HORIZON = new Checkpoint(null, false, null);

  public Checkpoint {
    if (finished && window != null) {
      throw new IllegalArgumentException("a finished shard has no open window");
    }
  }
}
