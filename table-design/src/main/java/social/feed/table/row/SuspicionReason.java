package social.feed.table.row;

/** Why the follows of an account look abnormal. The names are stored. */
public enum SuspicionReason {
  /** Many follows in one UTC day. */
  FOLLOW_BURST(20),
  /** Many follows and as many unfollows in one UTC day. */
  FOLLOW_CHURN(30),
  /** Blocks by the followed accounts answered a large share of the follows of a UTC day. */
  BLOCKED_BY_FOLLOWED(35),
  /** Several new accounts followed the same accounts in the same order. */
  SAME_ORDER(50),
  /** The account is new. It counts only with another reason. */
  NEW_ACCOUNT(15);

  /** A value of twice its threshold has twice the points, and no value has more. */
  static final long LEVELS = 2;

  private final long points;

  SuspicionReason(long points) {
    this.points = points;
  }

  /** Returns the points of a value that reaches its threshold. */
  public long points() {
    return points;
  }
}
