package social.feed.api.live;

import java.time.Instant;
import social.feed.table.kernel.id.TimeOrderedId;

/**
 * Identifies a post or notification, in the order of time: the beginning of its id, with the time
 * and 30 random bits. Two items of one reader in the same millisecond collide with a probability of
 * one in a thousand million.
 *
 * @param text sixteen characters
 */
record EventCursor(String text) implements Comparable<EventCursor> {
  static final int LENGTH = 16;

  private static final String REST = "0".repeat(10);

  EventCursor {
    if (!TimeOrderedId.isValid(text + REST)) {
      throw new IllegalArgumentException("Not the beginning of a time-ordered id: " + text);
    }
  }

  /** Returns the cursor of an id. */
  static EventCursor of(String id) {
    return new EventCursor(id.substring(0, LENGTH));
  }

  /** Returns the cursor before all items of a time. */
  static EventCursor at(Instant time) {
    return of(TimeOrderedId.first(time));
  }

  Instant time() {
    return TimeOrderedId.timeOf(text + REST);
  }

  @Override
  public int compareTo(EventCursor other) {
    return text.compareTo(other.text);
  }
}
