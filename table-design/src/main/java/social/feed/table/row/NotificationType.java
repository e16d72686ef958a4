package social.feed.table.row;

/** What a notification tells. */
public enum NotificationType {
  FOLLOW,
  LIKE,
  COMMENT,
  MENTION,
  /** Somebody who is followed specially wrote a post. */
  POST
}
