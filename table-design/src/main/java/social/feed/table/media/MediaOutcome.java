package social.feed.table.media;

/** How the announcement of an upload ended. */
public enum MediaOutcome {
  /** The row is written, and its size is reserved. */
  RESERVED,

  /** The account has too many files, or too many bytes. */
  OVER_QUOTA,

  /** There is no such account. */
  NO_ACCOUNT
}
