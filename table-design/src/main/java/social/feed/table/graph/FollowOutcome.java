package social.feed.table.graph;

/** How a follow ended. */
public enum FollowOutcome {
  FOLLOWED,
  /** The edge exists already; nothing changed. */
  ALREADY_FOLLOWING,
  /** The follower has as many edges as are allowed; nothing changed. */
  CAP_REACHED,
  /** The follower has used up the follows of the day; nothing changed. */
  TOO_MANY_TODAY,
  /** An operator slows the follower down, who has used up the few follows; nothing changed. */
  SLOWED_DOWN,
  /** One of the two blocks the other; nothing changed. */
  BLOCKED
}
