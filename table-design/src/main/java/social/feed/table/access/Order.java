package social.feed.table.access;

/** In which order a pattern answers. */
public enum Order {
  /** One item. */
  NONE,
  NEWEST_FIRST,
  OLDEST_FIRST,
  HIGHEST_FIRST,
  /** Ascending by the id in the sort key. */
  BY_ID
}
