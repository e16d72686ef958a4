package social.feed.verify;

/**
 * Repairs one drift. It is applied only after the stream was drained behind the read that found the
 * drift, unless the row alone decides, and after the multiplexer passed the fences of the drift. It
 * either writes on condition that the rows are unchanged since that read, or reads again after it
 * wrote. Therefore it never overwrites a concurrent change. A second application changes nothing.
 */
@FunctionalInterface
interface Repair {
  /** The repair of a drift that a person must decide about. */
  Repair NONE = _ -> false;

  /** Applies the repair and returns whether it changed something. */
  boolean apply(Repairs repairs);
}
