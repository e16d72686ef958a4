package social.feed.table.graph;

/** How a block or a mute ended. */
public enum BlockOutcome {
  DONE,
  /** The user has as many as are allowed; nothing changed. */
  CAP_REACHED
}
