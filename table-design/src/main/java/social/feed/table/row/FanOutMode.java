package social.feed.table.row;

/**
 * How a post reaches those who follow its author. Decided when it is written and fixed for its
 * life, so no flip of the author's flag can lose or double it.
 */
public enum FanOutMode {
  /** An entry is written into each follower's feed. */
  PUSH,
  /** Followers find it with its author, when they read. */
  PULL;

  /** For a new post of an author. */
  public static FanOutMode of(User author) {
    return author.isCelebrity() ? PULL : PUSH;
  }
}
