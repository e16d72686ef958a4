package social.feed.engine.eventsource;

import org.jspecify.annotations.Nullable;

/**
 * How far a mapping is in a shard.
 *
 * @param sequenceNumber the last handled record; null: none yet
 * @param finished the shard is closed and all of it handled, so its children may start
 * @param window open tumbling window, whose state goes on after a restart
 */
public record Checkpoint(
    @Nullable String sequenceNumber, boolean finished, @Nullable OpenWindow window) {

  static final Checkpoint TRIM_HORIZON = new Checkpoint(null, false, null);

  public Checkpoint {
    if (finished && window != null) {
      throw new IllegalArgumentException("a window ends with its shard");
    }
  }
}
