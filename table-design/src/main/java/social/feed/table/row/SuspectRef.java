package social.feed.table.row;

/**
 * A suspicious account, as its sort key in GSI1 names it.
 *
 * @param userId the account
 * @param score the score when the key was written
 */
public record SuspectRef(String userId, long score) {
  /** Returns the account at a sort key in GSI1. */
  public static SuspectRef at(String sort) {
    return new SuspectRef(Keys.scoredUser(sort), Keys.score(sort));
  }
}
