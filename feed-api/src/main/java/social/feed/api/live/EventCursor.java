package social.feed.api.live;

import java.time.Instant;
import social.feed.table.kernel.id.TimeOrderedId;

/**
 * What a post or notification is told from others by, in the order of their times: the beginning of
 * its id, with the time and 30 bits more. Of what one reader is told, two things of the same
 * millisecond are alike by one chance in a thousand million.
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

  /** Of an id. */
  static EventCursor of(String id) {
    return new EventCursor(id.substring(0, LENGTH));
  }

  /** Before everything of a time. */
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
