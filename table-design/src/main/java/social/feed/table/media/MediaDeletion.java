package social.feed.table.media;

/** How the deletion of a file ended. */
public enum MediaDeletion {
  DELETED,

  /** A post or the profile shows it, so nothing was deleted. */
  SHOWN,

  /** The account has no such file. */
  ABSENT
}
