package social.feed.table.graph;

/** Edges from elsewhere would break the cap; none of them was written. */
public final class FollowCapException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FollowCapException(String followerId, long following, long added, long cap) {
    super(
        followerId
            + " follows "
            + following
            + " accounts; "
            + added
            + " more would break the cap of "
            + cap);
  }
}
