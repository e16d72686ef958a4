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
  /** Walks through the partitions of the account: its profile, its followers and its feed. */
  WALK,
  /** Waits for a sweep of the table: it finds what no key finds, and it is the proof. */
  RESTING,
  /** The erasure has ended: a whole sweep, begun long after the other steps, found nothing. */
  ERASED;

  /** Returns whether the step has work of its own to do. */
  public boolean isUnderWay() {
    return this != RESTING && this != ERASED;
  }
}
