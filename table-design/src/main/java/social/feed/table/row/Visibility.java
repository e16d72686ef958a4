package social.feed.table.row;

/** Who may read a post. Checked on every read path. */
public enum Visibility {
  /** Everybody. */
  PUBLIC,
  /** The author and those who follow the author. */
  FOLLOWERS,
  /** The author. */
  PRIVATE;

  /**
   * Whether a viewer may read a post.
   *
   * @param isAuthor the viewer wrote it
   * @param isFollower the viewer follows the author
   */
  public boolean allows(boolean isAuthor, boolean isFollower) {
    return switch (this) {
      case PUBLIC -> true;
      case FOLLOWERS -> isAuthor || isFollower;
      case PRIVATE -> isAuthor;
    };
  }
}
