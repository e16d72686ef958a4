package social.feed.table.post;

/** How a delete ended. */
public enum DeleteOutcome {
  DELETED,
  /** There was no such item. */
  ABSENT,
  /** The item belongs to another account; nothing was deleted. */
  NOT_YOURS
}
