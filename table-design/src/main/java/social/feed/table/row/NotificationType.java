package social.feed.table.row;

/** What a notification tells. */
public enum NotificationType {
  FOLLOW,
  LIKE,
  COMMENT,
  MENTION
}
