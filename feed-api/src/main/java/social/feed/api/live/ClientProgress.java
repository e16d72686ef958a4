package social.feed.api.live;

import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The progress of a client. Items enter its lists later than their own time, and not in the order
 * of their times. So the progress is a floor, plus the items that were sent above it.
 *
 * @param floor items up to here are never sent again
 * @param sent items above the floor that the client has, at most {@value #SENT_MAX}
 */
record ClientProgress(EventCursor floor, NavigableSet<EventCursor> sent) {
  /** Keeps the id of an event below a kilobyte. */
  static final int SENT_MAX = 50;

  ClientProgress {
    sent = new TreeSet<>(sent).tailSet(floor, false);
  }

  static ClientProgress from(EventCursor floor) {
    return new ClientProgress(floor, new TreeSet<>());
  }

  boolean lacks(EventCursor one) {
    return one.compareTo(floor) > 0 && !sent.contains(one);
  }

  /**
   * Returns the progress after one more item. Items must be added in ascending order. Beyond
   * {@value #SENT_MAX} items the floor rises to the lowest sent item: all items still to send lie
   * above it.
   */
  ClientProgress with(EventCursor one) {
    NavigableSet<EventCursor> more = new TreeSet<>(sent);
    more.add(one);
    EventCursor raised = floor;
    while (more.size() > SENT_MAX) {
      raised = more.removeFirst();
    }
    return new ClientProgress(raised, more);
  }

  /** Returns the progress after several items; all other items below them count as sent. */
  ClientProgress withAll(Collection<EventCursor> all) {
    ClientProgress progress = this;
    for (EventCursor one : new TreeSet<>(all)) {
      progress = progress.with(one);
    }
    return progress;
  }

  /** Returns the progress with a higher floor. */
  ClientProgress raisedTo(EventCursor cursor) {
    return cursor.compareTo(floor) > 0 ? new ClientProgress(cursor, sent) : this;
  }
}
