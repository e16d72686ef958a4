package social.feed.table.graph;

/** How the mark of a follow as special ended. */
public enum SpecialFollowOutcome {
  DONE,
  /** There is no edge to mark; nothing changed. */
  NOT_FOLLOWING,
  /** The user follows as many accounts specially as are allowed; nothing changed. */
  CAP_REACHED
}
