package social.feed.table.row;

/** The next step of an account's erasure. */
public enum ErasureStep {
  /** Deletes the account's posts, newest first. */
  POSTS,
  /** Removes the follow edges from the account. */
  FOLLOWING,
  /** Removes the follow edges to the account. */
  FOLLOWERS,
  /** Deletes the account's likes, newest first. */
  LIKES,
  /** Deletes the account's comments, newest first. */
  COMMENTS,
  /** Walks through the whole table: it finds what no index finds, and it is the proof. */
  WALK,
  /** Waits for the {@link ErasureTimer}, until nothing can be in progress any more. */
  RESTING,
  /** The erasure has ended: a whole walk, begun long after the previous one, found nothing. */
  ERASED;

  /** Returns whether the step has work to do at once. */
  public boolean isUnderWay() {
    return this != RESTING && this != ERASED;
  }
}
