package social.feed.table.row;

/** The readers who may see a post. Every read path checks it. */
public enum Visibility {
  /** Every reader. */
  PUBLIC,
  /** The author and the author's followers. */
  FOLLOWERS,
  /** The author only. */
  PRIVATE;

  /**
   * Returns whether a viewer may read a post.
   *
   * @param isAuthor whether the viewer wrote it
   * @param isFollower whether the viewer follows the author
   */
  public boolean allows(boolean isAuthor, boolean isFollower) {
    return switch (this) {
      case PUBLIC -> true;
      case FOLLOWERS -> isAuthor || isFollower;
      case PRIVATE -> isAuthor;
    };
  }
}
