package social.feed.api.live;

import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * How far a client is. Things come into its lists later than their own time says, and not in its
 * order; so besides how far everything is settled, this says what was sent above.
 *
 * @param floor nothing up to here is sent any more
 * @param sent what the client has of what lies above, at most {@value #SENT_MAX}
 */
record ClientProgress(EventCursor floor, NavigableSet<EventCursor> sent) {
  /** So that an event's id stays below a kilobyte. */
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
   * After one more was sent, the least that was not. Where that is too much to remember, the floor
   * rises above the least that was sent: whatever is still to be sent lies above that.
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

  /** After all of these, whatever is not among them below being settled as well. */
  ClientProgress withAll(Collection<EventCursor> all) {
    ClientProgress progress = this;
    for (EventCursor one : new TreeSet<>(all)) {
      progress = progress.with(one);
    }
    return progress;
  }

  /** With everything settled up to there. */
  ClientProgress raisedTo(EventCursor mark) {
    return mark.compareTo(floor) > 0 ? new ClientProgress(mark, sent) : this;
  }
}
