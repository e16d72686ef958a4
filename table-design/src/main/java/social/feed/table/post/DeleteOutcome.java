package social.feed.table.post;

/** How a delete ended. */
public enum DeleteOutcome {
  DELETED,
  /** There was nothing at the key. */
  ABSENT,
  /** It belongs to somebody else; nothing was deleted. */
  NOT_YOURS
}
