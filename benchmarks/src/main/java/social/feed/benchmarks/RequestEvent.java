package social.feed.benchmarks;

import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A request of an open load, in a recording of the process that sends it: from the time when it was
 * sent until its response.
 */
@Name(RequestEvent.NAME)
@StackTrace(false)
final class RequestEvent extends Event {
  static final String NAME = "social.feed.benchmarks.Request";

  /** The nanoseconds from the time when it was due until it was sent. */
  static final String LATE = "late";

  long late;
}
