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
record Progress(Mark floor, NavigableSet<Mark> sent) {
  /** So that an event's id stays below a kilobyte. */
  static final int SENT_MAX = 50;

  Progress {
    sent = new TreeSet<>(sent).tailSet(floor, false);
  }

  static Progress from(Mark floor) {
    return new Progress(floor, new TreeSet<>());
  }

  boolean lacks(Mark one) {
    return one.compareTo(floor) > 0 && !sent.contains(one);
  }

  /**
   * After one more was sent, the least that was not. Where that is too much to remember, the floor
   * rises above the least that was sent: whatever is still to be sent lies above that.
   */
  Progress with(Mark one) {
    NavigableSet<Mark> more = new TreeSet<>(sent);
    more.add(one);
    Mark raised = floor;
    while (more.size() > SENT_MAX) {
      raised = more.removeFirst();
    }
    return new Progress(raised, more);
  }

  /** After all of these, whatever is not among them below being settled as well. */
  Progress withAll(Collection<Mark> all) {
    Progress progress = this;
    for (Mark one : new TreeSet<>(all)) {
      progress = progress.with(one);
    }
    return progress;
  }

  /** With everything settled up to there. */
  Progress raisedTo(Mark mark) {
    return mark.compareTo(floor) > 0 ? new Progress(mark, sent) : this;
  }
}
