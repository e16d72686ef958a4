package social.feed.table.row;

/** The event that a notification reports. */
public enum NotificationType {
  FOLLOW,
  LIKE,
  COMMENT,
  MENTION,
  /** A specially followed author wrote a post. */
  POST
}
