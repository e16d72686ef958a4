package social.feed.table.graph;

/** How a block or a mute ended. */
public enum BarrierOutcome {
  DONE,
  /** The user has as many as are allowed; nothing changed. */
  CAP_REACHED
}
