package social.feed.ctl.verify;

/**
 * Puts one drift right. It is applied only after the stream was drained behind the look that found
 * the drift, and either on condition that what was seen has not changed, or looking again after it
 * wrote: so a change that was under way is never overwritten. Applied twice it changes nothing.
 */
@FunctionalInterface
interface Repair {
  /** For what a person has to decide. */
  Repair NONE = () -> false;

  /** Whether it changed something. */
  boolean apply();
}
