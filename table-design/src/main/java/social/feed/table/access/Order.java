package social.feed.table.access;

/** The order of a pattern's items. */
public enum Order {
  /** The pattern returns one item. */
  NONE,
  NEWEST_FIRST,
  OLDEST_FIRST,
  HIGHEST_FIRST,
  /** Ascending by the id in the sort key. */
  BY_ID
}
