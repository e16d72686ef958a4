package social.feed.table.row;

/**
 * How a post reaches its author's followers. It is decided when the post is written and fixed for
 * the post's life, so a change of the author's celebrity flag cannot lose or duplicate the post.
 */
public enum FanOutMode {
  /** Fan-out writes an entry into each follower's feed. */
  PUSH,
  /** Followers read the post from its author's posts. */
  PULL;

  /** Returns the mode for a new post of an author. */
  public static FanOutMode of(User author) {
    return author.isCelebrity() ? PULL : PUSH;
  }
}
