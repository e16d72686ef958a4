package social.feed.table.row;

/** What the erasure of an account does next. */
public enum ErasureStep {
  /** Deletes the account's posts, newest first. */
  POSTS,
  /** Ends its follows. */
  FOLLOWING,
  /** Ends the follows of it. */
  FOLLOWERS,
  /** Walks through the whole table, for what no index finds and as the proof. */
  WALK,
  /** Waits for its {@link ErasureTimer}, until nothing can be under way any more. */
  RESTING,
  /** Done: a whole walk, begun long after the one before, found nothing. */
  ERASED;

  /** Whether there is something to do at once. */
  public boolean isUnderWay() {
    return this != RESTING && this != ERASED;
  }
}
